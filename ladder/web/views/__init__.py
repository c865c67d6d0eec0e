"""Views of the pages: thin, one module a place of the site."""
