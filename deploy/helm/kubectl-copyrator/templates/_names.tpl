{{- /* The name of the objects. A CronJob's has at most 52 characters, of which "-rates" takes six. */ -}}
{{- define "copyrator.name" -}}
{{- $name := .Values.name | default .Release.Name -}}
{{- if gt (len $name) 46 -}}
{{- fail (printf "the name %q has more than 46 characters; set name to a shorter one" $name) -}}
{{- end -}}
{{- $name -}}
{{- end -}}

{{- define "copyrator.commonLabels" -}}
app.kubernetes.io/instance: {{ include "copyrator.name" . }}
app.kubernetes.io/name: kubectl-copyrator
{{- end -}}

{{- /* The labels of the pods, which never change. Those of a controller aren't those of CronJobs: what selects
the ones must not select the others. */ -}}
{{- define "copyrator.podLabels" -}}
{{ include "copyrator.commonLabels" . }}
app.kubernetes.io/component: {{ .Values.mode }}
{{- end -}}

{{- /* The labels of the objects. */ -}}
{{- define "copyrator.labels" -}}
{{ include "copyrator.commonLabels" . }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end -}}

{{- define "copyrator.image" -}}
{{- $image := .Values.image -}}
{{- if $image.digest -}}
{{ $image.repository }}@{{ $image.digest }}
{{- else -}}
{{ $image.repository }}:{{ $image.tag | default .Chart.AppVersion }}
{{- end -}}
{{- end -}}

{{- /* The flags that say how rates are published. */ -}}
{{- define "copyrator.rateFlags" -}}
{{- range .Values.allowUrls }}
- --allow-urls={{ . }}
{{- end }}
{{- if not .Values.allowSecrets }}
- --allow-secrets=false
{{- end }}
{{- end -}}
