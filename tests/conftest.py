"""Settings for the whole suite."""

from hypothesis import HealthCheck, settings

settings.register_profile(
    "plyscope", deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow], print_blob=True, derandomize=True
)
settings.load_profile("plyscope")
