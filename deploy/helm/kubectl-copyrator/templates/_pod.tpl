{{- /* The template of a pod: a dict of root, name and arguments. */ -}}
{{- define "copyrator.pod" -}}
{{- $values := .root.Values -}}
{{- $controller := eq $values.mode "controller" -}}
{{- $rates := has "rates" $values.only -}}
metadata:
  labels:
    {{- include "copyrator.podLabels" .root | nindent 4 }}
    {{- with $values.podLabels }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
  {{- with $values.podAnnotations }}
  annotations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
spec:
  serviceAccountName: {{ include "copyrator.name" .root }}
  automountServiceAccountToken: true
  enableServiceLinks: false
  {{- with $values.imagePullSecrets }}
  imagePullSecrets:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with $values.priorityClassName }}
  priorityClassName: {{ . }}
  {{- end }}
  {{- with $values.nodeSelector }}
  nodeSelector:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with $values.tolerations }}
  tolerations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with $values.affinity }}
  affinity:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  securityContext:
    runAsNonRoot: true
    runAsUser: 65532
    runAsGroup: 65532
    seccompProfile:
      type: RuntimeDefault
  {{- if $controller }}
  terminationGracePeriodSeconds: 30
  topologySpreadConstraints:
    - maxSkew: 1
      topologyKey: kubernetes.io/hostname
      whenUnsatisfiable: ScheduleAnyway
      labelSelector:
        matchLabels:
          {{- include "copyrator.podLabels" .root | nindent 10 }}
  {{- else }}
  restartPolicy: Never
  {{- end }}
  containers:
    - name: {{ .name }}
      image: {{ include "copyrator.image" .root | quote }}
      {{- with $values.image.pullPolicy }}
      imagePullPolicy: {{ . }}
      {{- end }}
      args:
        {{- .arguments | nindent 8 }}
      env:
        - name: NAMESPACE
          valueFrom:
            fieldRef:
              fieldPath: metadata.namespace
        {{- if $rates }}
        - name: KUBECACHEDIR
          value: /cache
        {{- end }}
      {{- if $controller }}
      ports:
        - name: http
          containerPort: 8080
      livenessProbe:
        httpGet:
          path: /healthz
          port: http
        periodSeconds: 20
        failureThreshold: 3
      readinessProbe:
        httpGet:
          path: /readyz
          port: http
        periodSeconds: 10
      {{- end }}
      resources:
        {{- toYaml $values.resources | nindent 8 }}
      securityContext:
        allowPrivilegeEscalation: false
        capabilities:
          drop: [ALL]
        readOnlyRootFilesystem: true
      {{- if $rates }}
      volumeMounts:
        - name: cache
          mountPath: /cache
      {{- end }}
  {{- if $rates }}
  volumes:
    - name: cache
      emptyDir:
        sizeLimit: 64Mi
  {{- end }}
{{- end -}}
