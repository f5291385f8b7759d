"""dbt Cloud (the dbt platform) over its Administrative API v2. Hosted only: no server of it can be run."""

from connectors.dbt_cloud.actuator import DbtCloudActuator
from connectors.dbt_cloud.reader import DbtCloudReader

__all__ = ["DbtCloudActuator", "DbtCloudReader"]
