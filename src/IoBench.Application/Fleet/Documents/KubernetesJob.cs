using System.Globalization;
using System.Text;
using IoBench.Formats;

namespace IoBench.Application;

internal static class KubernetesJob
{
    public static string Write(FleetPlan plan, FleetDocumentRequest request)
    {
        var text = new StringBuilder();
        var name = "iobench-" + request.Group.ToLowerInvariant();
        var count = plan.Work.Count.ToString(CultureInfo.InvariantCulture);
        var end = plan.Work.Max(work =>
            new FleetMemberRequest
            {
                Tests = work.Tests,
                Group = request.Group,
                Member = work.Host.Name,
                StartAt = request.StartAt,
            }.HardEnd
        );
        text.Append(
            "# A pod per host; all begin at one time by their nodes' clocks, which must be synchronised. The volume must be mounted at the path of the tests.\n"
        );
        text.Append("# Then: for p in $(kubectl get pods -l job-name=")
            .Append(name)
            .Append(" -o name); do kubectl logs $p > ${p#pod/}.jsonl; done; iobench fleet merge *.jsonl\n");
        text.Append("apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ").Append(name).Append("\ndata:\n");
        foreach (var (work, i) in plan.Work.Select((work, i) => (work, i)))
        {
            text.Append(
                CultureInfo.InvariantCulture,
                $"  plan-{i}.json: {AnsiblePlaybook.QuoteYaml(JsonResultSerializer.SerializePlan(work.Tests))}\n"
            );
            text.Append(CultureInfo.InvariantCulture, $"  name-{i}: {AnsiblePlaybook.QuoteYaml(work.Host.Name)}\n");
        }
        text.Append("---\napiVersion: batch/v1\nkind: Job\nmetadata:\n  name: ")
            .Append(name)
            .Append("\nspec:\n  completionMode: Indexed\n  completions: ")
            .Append(count)
            .Append("\n  parallelism: ")
            .Append(count);
        text.Append("\n  backoffLimit: 0\n  activeDeadlineSeconds: ")
            .Append(((int)Math.Ceiling((end - DateTimeOffset.Now).TotalSeconds)).ToString(CultureInfo.InvariantCulture));
        text.Append("\n  template:\n    spec:\n      restartPolicy: Never\n      containers:\n        - name: member\n          image: ")
            .Append(AnsiblePlaybook.QuoteYaml(request.Program))
            .Append("\n          command: ['/bin/sh', '-c']\n          args:\n            - ");
        var words = FleetDocuments
            .GetMemberArguments(request with { Program = "iobench" }, "@plan@", "@member@", plan.Work.Count)
            .Select(FleetDocuments.QuoteForShell);
        text.Append(
            AnsiblePlaybook.QuoteYaml(
                "exec "
                    + string.Join(' ', words)
                        .Replace("'@plan@'", "\"/plans/plan-$JOB_COMPLETION_INDEX.json\"", StringComparison.Ordinal)
                        .Replace("'@member@'", "\"$(cat /plans/name-$JOB_COMPLETION_INDEX)\"", StringComparison.Ordinal)
                    + " < /dev/null"
            )
        );
        text.Append(
                "\n          volumeMounts:\n            - name: plans\n              mountPath: /plans\n      volumes:\n        - name: plans\n          configMap:\n            name: "
            )
            .Append(name)
            .Append('\n');
        return text.ToString();
    }
}
