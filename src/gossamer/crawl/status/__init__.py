"""What is a crawl doing, seen from another process or machine?"""
