using System.Text;
using System.Text.Json;
using IoBench.Formats;

namespace IoBench.Application;

internal static class CloudStartScripts
{
    public static string WriteAzureScript(FleetPlan plan, FleetDocumentRequest request)
    {
        var text = new StringBuilder(
            "#!/bin/sh\n# Starts a member of IoBench on each virtual machine (Linux) and does not wait; all begin at one time by their own clocks.\n# Fetch /var/tmp/iobench-*.jsonl from each, then: iobench fleet merge *.jsonl\n"
        );
        foreach (var work in plan.Work)
            text.Append("az vm run-command create --no-wait --async-execution true --resource-group ")
                .Append(FleetDocuments.QuoteForShell(work.Host.Tags.GetValueOrDefault("resourcegroup", "RESOURCE-GROUP")))
                .Append(" --vm-name ")
                .Append(FleetDocuments.QuoteForShell(work.Host.Address ?? work.Host.Name))
                .Append(" --name ")
                .Append(FleetDocuments.QuoteForShell("iobench-" + request.Group))
                .Append(" --script ")
                .Append(FleetDocuments.QuoteForShell(CreateHostScript(work, plan.Work.Count, request)))
                .Append('\n');
        return text.ToString();
    }

    public static string WriteAwsDocument(FleetPlan plan, FleetDocumentRequest request)
    {
        using var stream = new MemoryStream();
        using (
            var json = new Utf8JsonWriter(
                stream,
                new JsonWriterOptions { Indented = true, Encoder = System.Text.Encodings.Web.JavaScriptEncoder.UnsafeRelaxedJsonEscaping }
            )
        )
        {
            json.WriteStartObject();
            json.WriteString("schemaVersion", "2.2");
            json.WriteString(
                "description",
                $"IoBench fleet {request.Group}: a member on each instance, which all begin at one time. Fetch /var/tmp/iobench-{request.Group}.jsonl from each, then: iobench fleet merge *.jsonl"
            );
            json.WriteStartArray("mainSteps");
            json.WriteStartObject();
            json.WriteString("action", "aws:runShellScript");
            json.WriteString("name", "member");
            json.WriteStartObject("inputs");
            json.WriteStartArray("runCommand");
            json.WriteStringValue(
                "id=$(curl -s -H \"X-aws-ec2-metadata-token: $(curl -s -X PUT -H 'X-aws-ec2-metadata-token-ttl-seconds: 60' http://169.254.169.254/latest/api/token)\" http://169.254.169.254/latest/meta-data/instance-id)"
            );
            json.WriteStringValue("case \"$id\" in");
            foreach (var work in plan.Work)
                json.WriteStringValue(
                    $"{FleetDocuments.QuoteForShell(work.Host.Address ?? work.Host.Name)}) {CreateHostScript(work, plan.Work.Count, request).Replace("\n", "; ", StringComparison.Ordinal)} ;;"
                );
            json.WriteStringValue("*) echo \"$id is not in the inventory\" >&2; exit 1 ;;");
            json.WriteStringValue("esac");
            json.WriteEndArray();
            json.WriteEndObject();
            json.WriteEndObject();
            json.WriteEndArray();
            json.WriteEndObject();
        }
        return Encoding.UTF8.GetString(stream.ToArray()).Replace("\r\n", "\n", StringComparison.Ordinal) + "\n";
    }

    private static string CreateHostScript(HostWorkload work, int hosts, FleetDocumentRequest request)
    {
        var place = $"/var/tmp/iobench-{request.Group}";
        return $"umask 077\nprintf %s {FleetDocuments.QuoteForShell(JsonResultSerializer.SerializePlan(work.Tests))} > {place}.plan.json\n{string.Join(' ', FleetDocuments.GetMemberArguments(request, place + ".plan.json", work.Host.Name, hosts).Select(FleetDocuments.QuoteForShell))} > {place}.jsonl 2> {place}.err < /dev/null";
    }
}
