"""Which links of a site or of files are broken? The verb that checks them, and how it shows what it finds."""
