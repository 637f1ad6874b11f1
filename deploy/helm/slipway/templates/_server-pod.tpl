{{/* The pod of a server, in a StatefulSet or in a Deployment. */}}
{{- define "slipway.serverPod" -}}
metadata:
  labels:
    {{- include "slipway.selector" (dict "root" . "component" "server") | nindent 4 }}
  {{- with .Values.server.podAnnotations }}
  annotations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
spec:
  serviceAccountName: {{ include "slipway.name" . }}
  # The server does not speak with the cluster.
  automountServiceAccountToken: false
  enableServiceLinks: false
  # Longer than a server takes to end what is under way.
  terminationGracePeriodSeconds: 60
  securityContext:
    {{- include "slipway.podSecurity" . | nindent 4 }}
  {{- with .Values.imagePullSecrets }}
  imagePullSecrets:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  containers:
    - name: server
      image: "{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}"
      imagePullPolicy: {{ .Values.image.pullPolicy }}
      securityContext:
        {{- include "slipway.containerSecurity" . | nindent 8 }}
      ports:
        - name: http
          containerPort: 8153
      env:
        - name: SLIPWAY_LOCAL_AGENTS
          value: "0"
        - name: SLIPWAY_TRUST_PROXY
          value: {{ .Values.server.trustProxy | default "false" | quote }}
        {{- with .Values.server.contextPath }}
        - name: SLIPWAY_CONTEXT_PATH
          value: {{ . | quote }}
        {{- end }}
        {{- if .Values.database.url }}
        - name: POD_IP
          valueFrom:
            fieldRef:
              fieldPath: status.podIP
        - name: SLIPWAY_REPLICA_URL
          value: http://$(POD_IP):8153
        - name: SLIPWAY_DATABASE_URL
          value: {{ .Values.database.url | quote }}
        - name: SLIPWAY_DATABASE_PASSWORD_FILE
          value: /run/secrets/slipway/database-password
        {{- end }}
        {{- if include "slipway.keyInSecret" . }}
        - name: SLIPWAY_CIPHER_KEY_FILE
          value: /run/secrets/slipway/cipher-key
        {{- end }}
        {{- if .Values.secrets.hasAdminPassword }}
        - name: SLIPWAY_ADMIN_PASSWORD
          valueFrom:
            secretKeyRef:
              name: {{ required "secrets.existing: name the secret that has admin-password." .Values.secrets.existing }}
              key: admin-password
        {{- end }}
        {{- range $name, $value := .Values.server.settings }}
        - name: {{ $name }}
          value: {{ $value | quote }}
        {{- end }}
      # Long migrations and large configurations take their time at a start.
      startupProbe:
        httpGet: &health { path: {{ printf "%s/api/v1/health" .Values.server.contextPath }}, port: http }
        periodSeconds: 2
        failureThreshold: 150
      livenessProbe:
        httpGet: *health
        periodSeconds: 10
        timeoutSeconds: 5
        failureThreshold: 6
      readinessProbe:
        httpGet: { path: {{ printf "%s/api/v1/ready" .Values.server.contextPath }}, port: http }
        periodSeconds: 2
        timeoutSeconds: 2
        failureThreshold: 2
      resources:
        {{- toYaml .Values.server.resources | nindent 8 }}
      volumeMounts:
        - name: data
          mountPath: /data
        {{- if .Values.database.url }}
        - name: artifacts
          mountPath: /data/artifacts
        {{- end }}
        - name: tmp
          mountPath: /tmp
        {{- if include "slipway.keyInSecret" . }}
        - name: secrets
          mountPath: /run/secrets/slipway
          readOnly: true
        {{- end }}
  volumes:
    - name: tmp
      emptyDir: {}
    {{- if .Values.database.url }}
    - name: data
      emptyDir:
        sizeLimit: {{ .Values.server.volume.size }}
    - name: artifacts
      persistentVolumeClaim:
        claimName: {{ .Values.artifacts.existingClaim }}
    {{- end }}
    {{- if include "slipway.keyInSecret" . }}
    - name: secrets
      secret:
        secretName: {{ .Values.secrets.existing }}
        defaultMode: 0440
        items:
          - { key: cipher-key, path: cipher-key }
          {{- if .Values.database.url }}
          - { key: database-password, path: database-password }
          {{- end }}
    {{- end }}
  {{- with .Values.server.nodeSelector }}
  nodeSelector:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .Values.server.tolerations }}
  tolerations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- if .Values.server.affinity }}
  affinity:
    {{- toYaml .Values.server.affinity | nindent 4 }}
  {{- else if gt (int .Values.server.replicas) 1 }}
  # The loss of a node is not the loss of all servers.
  affinity:
    podAntiAffinity:
      preferredDuringSchedulingIgnoredDuringExecution:
        - weight: 100
          podAffinityTerm:
            topologyKey: kubernetes.io/hostname
            labelSelector:
              matchLabels:
                {{- include "slipway.selector" (dict "root" . "component" "server") | nindent 16 }}
  {{- end }}
{{- end -}}
