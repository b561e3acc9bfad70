using System.Reflection;
using System.Text.Json;
using IoBench.Analysis;

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
    public static OutputFile? ClaimOutput(HostCheckRequest request)
    {
        ArgumentNullException.ThrowIfNull(request);
        return request.OutputPath is { } path ? OutputFile.Reserve(path, mayExist: request.Force) : null;
    }

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
        ArgumentNullException.ThrowIfNull(report);
        using var json = new Utf8JsonWriter(stream, s_options);
        json.WriteStartObject();
        json.WriteString(
            "version",
            typeof(HostCheckReport).Assembly.GetCustomAttribute<AssemblyInformationalVersionAttribute>()?.InformationalVersion.Split('+')[0]
        );
        json.WriteNumber("seconds", Math.Round(report.Seconds, 1));
        json.WritePropertyName("host");
        WriteTexts(json, report.Host);
        json.WriteStartArray("storage");
        foreach (var facts in report.Storage)
            WriteTexts(json, facts);
        json.WriteEndArray();
        if (report.IopsPerCore is { } iops)
            json.WriteNumber("iopsPerCore", Math.Round(iops));
        json.WriteNumber("passed", report.Count(VerdictOutcome.Pass));
        json.WriteNumber("failed", report.Count(VerdictOutcome.Fail));
        json.WriteNumber("notRated", report.Count(VerdictOutcome.NotRated));
        json.WriteStartArray("checks");
        foreach (var check in report.Checks)
            Write(json, check, report.Folders);
        json.WriteEndArray();
        json.WriteEndObject();
    }

    private static void Write(Utf8JsonWriter json, HostCheck check, IReadOnlyList<string> folders)
    {
        json.WriteStartObject();
        json.WriteString("outcome", check.Word);
        // The index of the folder in "storage", because a path can identify the computer.
        if (check.Path is { } path)
            json.WriteNumber("folder", folders.ToList().IndexOf(path) + 1);
        else
            json.WriteNull("folder");
        json.WriteString("code", check.Finding.Code);
        json.WriteString("check", check.Check);
        json.WriteString("found", check.Found);
        json.WriteString("whatToDo", check.WhatToDo);
        json.WriteString("source", check.Source);
        json.WriteStartArray("figures");
        foreach (var figure in check.Finding.Evidence)
            Write(json, figure);
        json.WriteEndArray();
        json.WriteEndObject();
    }

    private static void Write(Utf8JsonWriter json, FindingEvidence figure)
    {
        json.WriteStartObject();
        json.WriteString("name", figure.Name);
        if (figure.Value is { } value && double.IsFinite(value))
            json.WriteNumber("value", value);
        else
            json.WriteNull("value");
        json.WriteString("unit", figure.Unit);
        json.WriteEndObject();
    }

    private static void WriteTexts(Utf8JsonWriter json, IReadOnlyDictionary<string, string> texts)
    {
        json.WriteStartObject();
        foreach (var (key, text) in texts)
            json.WriteString(key, text);
        json.WriteEndObject();
    }
}
