"""Dagster, open source or Dagster+, over its GraphQL: few and old fields, because the schema moves."""

from connectors.dagster.actuator import DagsterActuator
from connectors.dagster.reader import DagsterReader

__all__ = ["DagsterActuator", "DagsterReader"]
