"""Prefect 3, a server of one's own or Prefect Cloud, over its REST API."""

from connectors.prefect.actuator import PrefectActuator
from connectors.prefect.reader import PrefectReader

__all__ = ["PrefectActuator", "PrefectReader"]
