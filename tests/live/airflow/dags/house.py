"""One surface for DAGs of Airflow 2 and 3."""

try:
    from airflow.sdk import DAG, Param, get_current_context, task, task_group
except ImportError:
    from airflow.decorators import task, task_group
    from airflow.models.dag import DAG
    from airflow.models.param import Param
    from airflow.operators.python import get_current_context

__all__ = ["DAG", "Param", "get_current_context", "task", "task_group"]
