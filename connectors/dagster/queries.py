"""Every document that is ever sent to Dagster. A reader's client lets only `READS` through.

Fields are few and old on purpose: a patch release that drops one breaks the whole question.
"""

_ERROR = "... on PythonError { message className causes { message className } }"
_METADATA = """metadataEntries { __typename label
  ... on TextMetadataEntry { text } ... on IntMetadataEntry { intRepr }
  ... on FloatMetadataEntry { floatValue } ... on BoolMetadataEntry { boolValue }
  ... on TimestampMetadataEntry { timestamp } ... on UrlMetadataEntry { url }
  ... on PathMetadataEntry { path } ... on JsonMetadataEntry { jsonString }
  ... on MarkdownMetadataEntry { mdStr } }"""
_RUN = """runId jobName status creationTime startTime endTime parentRunId
  tags { key value } assets { key { path } }"""

VERSION = "query DwVersion { version }"
PERMISSIONS = "query DwPermissions { permissions { permission value } }"
DAEMONS = """query DwDaemons { instance { daemonHealth { allDaemonStatuses {
  daemonType healthy lastHeartbeatTime } } } }"""
WORKSPACE = f"""query DwWorkspace {{ workspaceOrError {{ __typename
  ... on Workspace {{ locationEntries {{ name displayMetadata {{ key value }} locationOrLoadError {{ __typename
    ... on RepositoryLocation {{ repositories {{ name pipelines {{ name }} }} }} {_ERROR} }} }} }} {_ERROR} }} }}"""
JOB = f"""query DwJob($job: PipelineSelector!) {{ pipelineOrError(params: $job) {{ __typename
  ... on Pipeline {{ pipelineSnapshotId }} ... on PipelineNotFoundError {{ message }} {_ERROR} }} }}"""

PARTITIONS = f"""query DwPartitions($job: PipelineSelector!) {{ pipelineOrError(params: $job) {{ __typename
  ... on Pipeline {{ partitionKeysOrError {{ partitionKeys }} }} ... on PipelineNotFoundError {{ message }} {_ERROR} }} }}"""
CONFIG_VALID = f"""query DwConfigValid($job: PipelineSelector!, $config: RunConfigData) {{
  isPipelineConfigValid(pipeline: $job, runConfigData: $config, mode: "default") {{ __typename
  ... on RunConfigValidationInvalid {{ errors {{ message }} }} {_ERROR} }} }}"""

RUN = f"""query DwRun($id: ID!) {{ runOrError(runId: $id) {{ __typename
  ... on Run {{ {_RUN} }} ... on RunNotFoundError {{ message }} {_ERROR} }} }}"""
RUNS = f"""query DwRuns($filter: RunsFilter!, $cursor: String, $limit: Int!) {{
  runsOrError(filter: $filter, cursor: $cursor, limit: $limit) {{ __typename
  ... on Runs {{ count results {{ {_RUN} }} }}
  ... on InvalidPipelineRunsFilterError {{ message }} {_ERROR} }} }}"""
LAST_RUN = f"""query DwLastRun($filter: RunsFilter!) {{ runsOrError(filter: $filter, limit: 1) {{ __typename
  ... on Runs {{ results {{ runId endTime pipelineSnapshotId tags {{ key value }} }} }}
  ... on InvalidPipelineRunsFilterError {{ message }} {_ERROR} }} }}"""
RUN_IDS = f"""query DwRunIds($cursor: String, $limit: Int!) {{
  runIdsOrError(cursor: $cursor, limit: $limit) {{ __typename ... on RunIds {{ results }}
  ... on InvalidPipelineRunsFilterError {{ message }} {_ERROR} }} }}"""
FAILED_RUN = f"""query DwFailedRun($id: ID!) {{ runOrError(runId: $id) {{ __typename
  ... on Run {{ {_RUN} pipelineSnapshotId stepKeysToExecute stepStats {{ stepKey status }}
    assetMaterializations {{ assetKey {{ path }} }} }}
  ... on RunNotFoundError {{ message }} {_ERROR} }} }}"""
EVENTS = f"""query DwEvents($id: ID!, $after: String, $limit: Int!) {{
  logsForRun(runId: $id, afterCursor: $after, limit: $limit) {{ __typename
  ... on EventConnection {{ cursor hasMore events {{ __typename
    ... on ExecutionStepFailureEvent {{ stepKey error {{ message className causes {{ message className }} }} }}
    ... on RunFailureEvent {{ error {{ message className causes {{ message className }} }} }}
    ... on AssetCheckEvaluationEvent {{ evaluation {{ checkName assetKey {{ path }} success severity
      description {_METADATA} }} }} }} }}
  ... on RunNotFoundError {{ message }} {_ERROR} }} }}"""

CHECKS = """query DwChecks($keys: [AssetKeyInput!]!) { assetNodes(assetKeys: $keys) { assetKey { path }
  assetChecksOrError { __typename ... on AssetChecks { checks { name blocking } } } } }"""
_CHECK_RUN = f"runId status timestamp evaluation {{ severity description {_METADATA} }}"
CHECK_RUNS = f"""query DwCheckRuns($key: AssetKeyInput!, $check: String!, $partition: String, $limit: Int!) {{
  assetCheckExecutions(assetKey: $key, checkName: $check, partition: $partition, limit: $limit) {{
    partition {_CHECK_RUN} }} }}"""
# Older servers do not tell the partition of a check; the tags of its run do.
CHECK_RUNS_OLD = f"""query DwCheckRunsOld($key: AssetKeyInput!, $check: String!, $limit: Int!) {{
  assetCheckExecutions(assetKey: $key, checkName: $check, limit: $limit) {{ {_CHECK_RUN} }} }}"""
RUN_TAGS = f"""query DwRunTags($filter: RunsFilter!) {{ runsOrError(filter: $filter) {{ __typename
  ... on Runs {{ results {{ runId tags {{ key value }} }} }}
  ... on InvalidPipelineRunsFilterError {{ message }} {_ERROR} }} }}"""
MATERIALIZATION = f"""query DwMaterialization($key: AssetKeyInput!, $partitions: [String!]) {{
  assetOrError(assetKey: $key) {{ __typename
  ... on Asset {{ assetMaterializations(partitions: $partitions, limit: 1) {{
    runId timestamp partition {_METADATA} }} }}
  ... on AssetNotFoundError {{ message }} }} }}"""
ASSET_STATES = """query DwAssetStates($keys: [AssetKeyInput!]!) { assetNodes(assetKeys: $keys) {
  assetKey { path } assetMaterializations(limit: 1) { runId timestamp partition } } }"""
LINEAGE = """query DwLineage { assetNodes { assetKey { path } dependedByKeys { path } jobNames
  owners { __typename ... on UserAssetOwner { email } ... on TeamAssetOwner { team } } } }"""

FRESHNESS = """query DwFreshness($keys: [AssetKeyInput!]!) { assetNodes(assetKeys: $keys) {
  internalFreshnessPolicy { __typename
    ... on TimeWindowFreshnessPolicy { failWindowSeconds warnWindowSeconds }
    ... on CronFreshnessPolicy { deadlineCron lowerBoundDeltaSeconds timezone } }
  freshnessStatusInfo { freshnessStatus freshnessStatusMetadata { lastMaterializedTimestamp } } } }"""
FRESHNESS_OLD = """query DwFreshnessOld($keys: [AssetKeyInput!]!) { assetNodes(assetKeys: $keys) {
  freshnessPolicy { maximumLagMinutes cronSchedule } freshnessInfo { currentLagMinutes } } }"""
_TICKS = "ticks(limit: 1) { timestamp status error { message } }"
AUTOMATION = f"""query DwAutomation($where: RepositorySelector!, $at: Float) {{
  repositoryOrError(repositorySelector: $where) {{ __typename ... on Repository {{
    schedules {{ name pipelineName
      potentialTickTimestamps(startTimestamp: $at, upperLimit: 1, lowerLimit: 1)
      scheduleState {{ status typeSpecificData {{ ... on ScheduleData {{ startTimestamp }} }} {_TICKS} }} }}
    sensors {{ name minIntervalSeconds targets {{ pipelineName }} sensorState {{ status {_TICKS} }} }} }}
  ... on RepositoryNotFoundError {{ message }} {_ERROR} }} }}"""

READS = frozenset(
    {
        VERSION,
        PERMISSIONS,
        DAEMONS,
        WORKSPACE,
        JOB,
        PARTITIONS,
        CONFIG_VALID,
        RUN,
        RUNS,
        LAST_RUN,
        RUN_IDS,
        FAILED_RUN,
        EVENTS,
        CHECKS,
        CHECK_RUNS,
        CHECK_RUNS_OLD,
        RUN_TAGS,
        MATERIALIZATION,
        ASSET_STATES,
        LINEAGE,
        AUTOMATION,
        FRESHNESS,
        FRESHNESS_OLD,
    }
)

LAUNCH = f"""mutation DwLaunch($params: ExecutionParams!) {{ launchRun(executionParams: $params) {{ __typename
  ... on LaunchRunSuccess {{ run {{ {_RUN} }} }}
  ... on RunConfigValidationInvalid {{ errors {{ message }} }}
  ... on PipelineNotFoundError {{ message }} ... on UnauthorizedError {{ message }}
  ... on RunConflict {{ message }} ... on InvalidSubsetError {{ message }}
  ... on PresetNotFoundError {{ message }} ... on NoModeProvidedError {{ message }}
  ... on ConflictingExecutionParamsError {{ message }} {_ERROR} }} }}"""
WRITES = frozenset({LAUNCH})
