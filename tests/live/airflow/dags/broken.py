"""An airflow dag that can't be imported."""

import no_such_module_for_the_test
