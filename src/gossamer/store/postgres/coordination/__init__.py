"""What do fetchers on several machines hold, and exchange through the database?"""
