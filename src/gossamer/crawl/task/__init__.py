"""What does a task want? Its rules, its order, its limits, and which links it schedules."""
