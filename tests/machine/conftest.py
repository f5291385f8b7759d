"""The long campaign. It is registered here, since pytest reads its options before it reads any test."""

import hypothesis
from hypothesis import HealthCheck

hypothesis.settings.register_profile(
    "long",
    max_examples=400,
    stateful_step_count=40,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    print_blob=True,
)
