using System.Collections;
using System.Data;
using System.Management.Automation;

namespace IoBench.PowerShell.Binding;

/// <summary>What an object of the pipeline asks for: places, a test, a workload, or a row of a table with a place and settings. Nothing of it outlives the object.</summary>
internal sealed class PipelineInput
{
    // In the order in which they are looked for, as dbatools' objects and those of the file system have them.
    private static readonly string[] s_literalNames = ["LiteralPath", "PSPath", "FullName", "PhysicalName"];
    private const string PathName = "Path";

    /// <summary>What PowerShell adds to objects.</summary>
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

    /// <summary>Places that may have wildcards.</summary>
    public IReadOnlyList<string> Paths { get; private init; } = [];

    /// <summary>Places that are taken as they are.</summary>
    public IReadOnlyList<string> LiteralPaths { get; private init; } = [];

    /// <summary>A test that is there already; null = none.</summary>
    public IoTestSpecification? Test { get; private init; }

    /// <summary>Name of a workload; null = none.</summary>
    public string? Workload { get; private init; }

    /// <summary>Settings by the names of columns.</summary>
    public IReadOnlyList<KeyValuePair<string, object?>> Columns { get; private init; } = [];

    /// <summary>The object is a row that somebody wrote: a column that is no setting is a mistake. Objects of other tools have more than is asked for.</summary>
    public bool IsOwnTable { get; private init; }

    /// <summary>Whether it names a place.</summary>
    public bool HasPlace => Paths.Count + LiteralPaths.Count > 0;

    /// <summary>Adds the settings of its columns to those that were given by hand, which win.</summary>
    /// <returns>What is to be said of columns that set nothing.</returns>
    public IReadOnlyList<IoWarning> ApplyTo(OptionValues values)
    {
        foreach (var (name, value) in Columns)
            values.SetColumn(name, NumberText.OfCell(OptionTables.FindColumn(name), value));
        return IsOwnTable ? values.Warnings : [];
    }

    /// <summary>What an object asks for.</summary>
    /// <exception cref="IoBenchException">It is a saved result that does not say how it was made.</exception>
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

    /// <summary>The error of an object that names no place.</summary>
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

    /// <summary>Another object of .NET: what it says of itself, its size for example, is no setting.</summary>
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
