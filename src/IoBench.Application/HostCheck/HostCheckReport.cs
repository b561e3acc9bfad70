using System.Reflection;
using System.Text.Json;
using System.Text.Json.Nodes;
using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Application;

public sealed record HostCheckReport : IHasFindings
{
    public required IReadOnlyList<HostCheck> Checks { get; init; }

    public required double Seconds { get; init; }

    /// <summary>IOPS that this program can drive per CPU core on this computer; null if not measured.</summary>
    public double? IopsPerCore { get; init; }

    /// <summary>Facts about the computer, without names of hosts and users.</summary>
    public required IReadOnlyDictionary<string, string> Host { get; init; }

    public required IReadOnlyList<string> Folders { get; init; }

    /// <summary>Facts about the storage of each folder, without paths.</summary>
    public required IReadOnlyList<IReadOnlyDictionary<string, string>> Storage { get; init; }

    public bool IsPassed => Count(VerdictOutcome.Fail) == 0;

    public int Count(VerdictOutcome outcome) => Checks.Count(check => check.Outcome == outcome);

    /// <summary><c>17 checks: 14 passed (2 with a warning), 0 failed, 3 not rated.</c></summary>
    public string Summary =>
        $"{Checks.Count} checks: {Count(VerdictOutcome.Pass)} passed{(WarningCount == 0 ? "" : $" ({WarningCount} with a warning)")}, {Count(VerdictOutcome.Fail)} failed, {Count(VerdictOutcome.NotRated)} not rated.";

    private int WarningCount => Checks.Count(check => check.Outcome == VerdictOutcome.Pass && check.WhatToDo is not null);

    public IReadOnlyList<Finding> Findings => (Finding[])[.. Checks.Select(check => check.Finding)];

    private static readonly JsonWriterOptions s_options = new()
    {
        Indented = true,
        Encoder = System.Text.Encodings.Web.JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
    };

    /// <summary>Claims the output file before the checks begin; null if none was requested.</summary>
    public static OutputFile? ClaimOutput(OptionValues values) =>
        values.GetText(OptionNames.OutputPath) is { } path ? OutputFile.Reserve(path, mayExist: values.IsOn(OptionNames.Force)) : null;

    /// <summary>Whether a file begins as <see cref="Write(Stream, HostCheckReport)"/> begins it.</summary>
    /// <param name="stream">Must be seekable. Stays open.</param>
    internal static bool IsReport(Stream stream)
    {
        stream.Position = 0;
        var head = new byte[64 << 10];
        var text = System.Text.Encoding.UTF8.GetString(head, 0, stream.ReadAtLeast(head, head.Length, throwOnEndOfStream: false));
        // Earlier versions wrote "cannotTell".
        return text.StartsWith('{')
            && (text.Contains("\"notRated\": ", StringComparison.Ordinal) || text.Contains("\"cannotTell\": ", StringComparison.Ordinal))
            && text.Contains("\"checks\": ", StringComparison.Ordinal);
    }

    public static string Serialize(HostCheckReport report)
    {
        using var json = new MemoryStream();
        Write(json, report);
        return System.Text.Encoding.UTF8.GetString(json.ToArray());
    }

    /// <summary>Writes a report as JSON. It contains no names of hosts or users and no paths, so that it can be shared.</summary>
    public static void Write(Stream stream, HostCheckReport report)
    {
        var root = new JsonObject
        {
            ["version"] = typeof(HostCheckReport)
                .Assembly.GetCustomAttribute<AssemblyInformationalVersionAttribute>()
                ?.InformationalVersion.Split('+')[0],
            ["seconds"] = Math.Round(report.Seconds, 1),
            ["host"] = ToJson(report.Host),
            ["storage"] = new JsonArray([.. report.Storage.Select(ToJson)]),
        };
        if (report.IopsPerCore is { } iops)
            root["iopsPerCore"] = Math.Round(iops);
        root["passed"] = report.Count(VerdictOutcome.Pass);
        root["failed"] = report.Count(VerdictOutcome.Fail);
        root["notRated"] = report.Count(VerdictOutcome.NotRated);
        root["checks"] = new JsonArray([.. report.Checks.Select(check => ToJson(check, report.Folders.ToList()))]);
        using var json = new Utf8JsonWriter(stream, s_options);
        root.WriteTo(json);
    }

    private static JsonObject ToJson(HostCheck check, List<string> folders) =>
        new()
        {
            ["outcome"] = check.Word,
            // The index of the folder in "storage", because a path can identify the computer.
            ["folder"] = check.Path is { } path ? folders.IndexOf(path) + 1 : (int?)null,
            ["code"] = check.Finding.Code,
            ["check"] = check.Check,
            ["found"] = check.Found,
            ["whatToDo"] = check.WhatToDo,
            ["source"] = check.Source,
            ["figures"] = new JsonArray([.. check.Finding.Evidence.Select(ToJson)]),
        };

    private static JsonObject ToJson(FindingEvidence figure) =>
        new()
        {
            ["name"] = figure.Name,
            ["value"] = figure.Value is { } value && double.IsFinite(value) ? value : (double?)null,
            ["unit"] = figure.Unit,
        };

    private static JsonObject ToJson(IReadOnlyDictionary<string, string> texts) =>
        new(texts.Select(text => KeyValuePair.Create(text.Key, (JsonNode?)text.Value)));
}
