using System.Collections;
using System.Data;
using System.Management.Automation;
using IoBench.Application;
using IoBench.Engine;
using IoBench.Workloads;

namespace IoBench.PowerShell;

internal sealed class PipelineInput
{
    // In order of precedence. File system objects have PSPath and FullName; dbatools objects have PhysicalName.
    private static readonly string[] s_literalNames = ["LiteralPath", "PSPath", "FullName", "PhysicalName"];
    private const string PathName = "Path";

    private static readonly HashSet<string> s_added = new(StringComparer.OrdinalIgnoreCase)
    {
        "PSParentPath",
        "PSChildName",
        "PSDrive",
        "PSProvider",
        "PSIsContainer",
        "PSComputerName",
        "PSShowComputerName",
        "PSSourceJobInstanceId",
        "RunspaceId",
    };

    public IReadOnlyList<string> Paths { get; private init; } = [];

    public IReadOnlyList<string> LiteralPaths { get; private init; } = [];

    public IoTestSpecification? Test { get; private init; }

    public string? Workload { get; private init; }

    public IReadOnlyList<KeyValuePair<string, object?>> Columns { get; private init; } = [];

    /// <summary>
    /// True if the user wrote the row: a column that is not a setting then causes a warning. Objects of other tools have more properties
    /// than settings.
    /// </summary>
    public bool IsOwnTable { get; private init; }

    public bool HasPlace => Paths.Count + LiteralPaths.Count > 0;

    /// <summary>Adds the settings of the columns. Parameters of the cmdlet take precedence.</summary>
    /// <returns>Warnings about columns that set nothing.</returns>
    public IReadOnlyList<IoWarning> ApplyTo(OptionValues values)
    {
        foreach (var (name, value) in Columns)
            values.SetColumn(name, NumberText.OfCell(OptionTables.FindColumn(name), value));
        return IsOwnTable ? values.Warnings : [];
    }

    /// <exception cref="IoBenchException">The object is a saved result without a specification.</exception>
    public static PipelineInput Of(object item) =>
        DeserializedObject.Unwrap(item) switch
        {
            string name => new() { Paths = [name] },
            IoTestSpecification or IoTestResult => new() { Test = DeserializedObject.ToSpecification(item) },
            IoWorkload workload => new() { Workload = workload.Name },
            FileSystemInfo file => new() { LiteralPaths = [file.FullName] },
            DriveInfo drive => new() { LiteralPaths = [drive.Name] },
            PSCustomObject or IDictionary or DataRow or DataRowView => OfRow(item),
            var other => OfOther(item, other),
        };

    public static IoBenchException NotAPlace(object item) => InputPaths.NotAPath(PSObject.AsPSObject(item).ToString());

    private static PipelineInput OfRow(object item)
    {
        var members = DeserializedObject.Members(item);
        if (DeserializedObject.IsSavedTest(members))
            return new() { Test = DeserializedObject.ToSpecification(item) };
        var literal = Array.Find(s_literalNames, name => Texts(members, name).Count > 0);
        var isNamed = Texts(members, PathName).Count > 0;
        return new()
        {
            Paths = Texts(members, PathName),
            LiteralPaths = isNamed || literal is null ? [] : Texts(members, literal),
            IsOwnTable = isNamed || literal is null or "LiteralPath",
            Columns =
            [
                .. members
                    .Where(member => !IsPlaceOrAdded(member.Key))
                    .Select(member => KeyValuePair.Create(member.Key, Plain(member.Value))),
            ],
        };
    }

    /// <summary>Properties of other .NET objects, such as a size, are not settings.</summary>
    private static PipelineInput OfOther(object item, object? plain)
    {
        var properties = PSObject.AsPSObject(item).Properties;
        foreach (var name in s_literalNames.Append(PathName))
            if (
                properties[name] is { IsGettable: true, Value: { } value }
                && DeserializedObject.Unwrap(value) is string { Length: > 0 } place
            )
                return new() { LiteralPaths = [place] };
        return new() { Paths = [plain?.ToString() ?? ""] };
    }

    private static bool IsPlaceOrAdded(string name) =>
        name.Equals(PathName, StringComparison.OrdinalIgnoreCase)
        || s_literalNames.Contains(name, StringComparer.OrdinalIgnoreCase)
        || s_added.Contains(name);

    private static IReadOnlyList<string> Texts(Dictionary<string, object?> members, string name) =>
        Plain(members.GetValueOrDefault(name)) switch
        {
            null or DBNull => [],
            string text => text.Trim().Length > 0 ? [text] : [],
            IEnumerable list => [.. list.Cast<object?>().Select(part => DeserializedObject.Unwrap(part)?.ToString()).OfType<string>()],
            var value => [value.ToString() ?? ""],
        };

    private static object? Plain(object? value) =>
        DeserializedObject.Unwrap(value) switch
        {
            string or null => DeserializedObject.Unwrap(value),
            IEnumerable list => list.Cast<object?>().Select(DeserializedObject.Unwrap).ToList(),
            var plain => plain,
        };
}
