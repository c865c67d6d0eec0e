"""The Django project: programs, matches, ratings, pages."""
