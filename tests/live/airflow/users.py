"""Users of the Airflow 2 test server, each with its name as its password; run inside its environment.

`reader` and `queuer` have the narrowest roles that the documentation names.
"""

from airflow.providers.fab.auth_manager.cli_commands.utils import get_application_builder

READ = [
    ("can_read", "DAGs"),
    ("can_read", "DAG Runs"),
    ("can_read", "Task Instances"),
    ("can_read", "Task Logs"),
    ("can_read", "ImportError"),
    ("can_read", "DAG Code"),
]
QUEUE = [
    *READ,
    ("can_create", "DAG Runs"),
    ("can_edit", "DAG:usage_billing_daily"),
    ("can_edit", "DAG:paused_export"),
    ("can_edit", "DAG:quick"),
]
ROLES = {"DwReads": READ, "DwQueues": QUEUE}
USERS = {"admin": "Admin", "viewer": "Viewer", "reader": "DwReads", "queuer": "DwQueues"}

with get_application_builder() as builder:
    security = builder.sm
    security.sync_roles()
    for role, permissions in ROLES.items():
        security.add_role(role)
        for action, resource in permissions:
            permission = security.create_permission(action, resource)
            security.add_permission_to_role(security.find_role(role), permission)
    for name, role in USERS.items():
        mail = f"{name}@example.com"
        security.add_user(name, name, name, mail, security.find_role(role), name)
