"""Why did the crawl decide as it did about one URL?"""
