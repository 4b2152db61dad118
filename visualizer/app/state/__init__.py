"""State of a page: URL parameters, the session, navigation, jobs in the background, files and caches. Start with
`url_params.py`."""
