// The capabilities of the bundled elastic agent plugins beyond making agents: none of them shows reports of its own.
export const NO_STATUS_REPORTS = {
  supports_plugin_status_report: false,
  supports_cluster_status_report: false,
  supports_agent_status_report: false,
};
