"""What can be found out about a web, as tables and plots? The analyses that the command line and the workbench share."""
