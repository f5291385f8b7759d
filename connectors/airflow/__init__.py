"""Airflow 2 and 3 over their REST APIs, wherever they are run: one connector, several doors.

Airflow 2 may be given one new run of a named DAG, after a yes. Airflow 3 is only read: its owner starts runs.
"""

from connectors.airflow.actuator import AirflowActuator
from connectors.airflow.reader import AirflowReader, Known

__all__ = ["AirflowActuator", "AirflowReader", "Known"]
