{{/* Names and labels, and what the rest of the templates ask for more than once. */}}
{{- define "slipway.name" -}}
{{- if contains .Chart.Name .Release.Name -}}
{{- .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name .Chart.Name | trunc 50 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- define "slipway.selector" -}}
app.kubernetes.io/name: {{ .root.Chart.Name }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end -}}

{{- define "slipway.labels" -}}
{{ include "slipway.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version | replace "+" "_" }}
{{- end -}}

{{- define "slipway.shared" -}}
{{- if .Values.database.url -}}yes{{- end -}}
{{- end -}}

{{/* Otherwise the server makes its key in the data directory. */}}
{{- define "slipway.keyInSecret" -}}
{{- if or .Values.database.url .Values.secrets.hasCipherKey -}}yes{{- end -}}
{{- end -}}

{{/* Neither the user nor the process gains rights, and nothing but volumes can be written. */}}
{{- define "slipway.podSecurity" -}}
runAsNonRoot: true
runAsUser: 8153
runAsGroup: 8153
fsGroup: 8153
fsGroupChangePolicy: OnRootMismatch
seccompProfile:
  type: RuntimeDefault
{{- end -}}

{{- define "slipway.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end -}}

{{- define "slipway.check" -}}
{{- if and (gt (int .Values.server.replicas) 1) (not .Values.database.url) -}}
{{- fail "server.replicas: more than one server needs database.url, a PostgreSQL that they share." -}}
{{- end -}}
{{- if and .Values.database.url (not .Values.secrets.existing) -}}
{{- fail "secrets.existing: with database.url, name a secret with cipher-key and database-password." -}}
{{- end -}}
{{- if and .Values.secrets.hasCipherKey (not .Values.secrets.existing) -}}
{{- fail "secrets.existing: name the secret that has cipher-key." -}}
{{- end -}}
{{- if and .Values.database.url (not .Values.artifacts.existingClaim) -}}
{{- fail "artifacts.existingClaim: with database.url, name a claim (ReadWriteMany) where all servers keep artifacts, consoles and backups." -}}
{{- end -}}
{{- if and .Values.ingress.enabled (not .Values.server.trustProxy) -}}
{{- fail "server.trustProxy: with ingress.enabled, name the addresses or networks of the pods of the ingress controller, such as 10.42.0.0/24. Only \"true\" trusts all private networks, and \"false\" nobody." -}}
{{- end -}}
{{- if and (gt (int .Values.agents.replicas) 0) (not .Values.secrets.existing) -}}
{{- fail "secrets.existing: for agents, name a secret with agent-key." -}}
{{- end -}}
{{- end -}}
