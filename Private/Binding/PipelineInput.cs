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
    private static readonly string[] s_literalPathNames = ["LiteralPath", "PSPath", "FullName", "PhysicalName"];
    private const string PathName = "Path";

    // Get-DbaDiskSpace of dbatools has the root or the mount point of a volume in this property.
    private const string DiskName = "Name";
    private const string InstanceName = "SqlInstance";

    private static readonly HashSet<string> s_powerShellProperties = new(StringComparer.OrdinalIgnoreCase)
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

    /// <summary>True if the user wrote the row: a column that is not a setting then causes a warning.</summary>
    public bool IsUserTable { get; private init; }

    public bool HasPath => Paths.Count + LiteralPaths.Count > 0;

    /// <summary>Parameters of the cmdlet take precedence. Returns warnings about columns that set nothing.</summary>
    public IReadOnlyList<IoWarning> ApplyTo(OptionValues values)
    {
        foreach (var (name, value) in Columns)
            values.SetColumn(name, DeserializedObject.ParseCell(OptionTables.FindColumn(name), value));
        return IsUserTable ? values.Warnings : [];
    }

    /// <exception cref="IoBenchException">The object is a saved result without a specification.</exception>
    public static PipelineInput FromObject(object item) =>
        DeserializedObject.Unwrap(item) switch
        {
            string name => new() { Paths = [name] },
            IoTestSpecification or IoTestResult => new() { Test = DeserializedObject.ToSpecification(item) },
            IoWorkload workload => new() { Workload = workload.Name },
            FileSystemInfo file => new() { LiteralPaths = [file.FullName] },
            DriveInfo drive => new() { LiteralPaths = [drive.Name] },
            PSCustomObject or IDictionary or DataRow or DataRowView => FromRow(item),
            ValueType value => throw PathResolver.CreateNotAPathError(value),
            var other => FromOtherObject(item, other),
        };

    public static bool IsRow(object item) => DeserializedObject.Unwrap(item) is PSCustomObject or IDictionary or DataRow or DataRowView;

    public static IoBenchException CreateNoPathError(object item) => PathResolver.CreateNotAPathError(PSObject.AsPSObject(item).ToString());

    private static PipelineInput FromRow(object item)
    {
        var members = DeserializedObject.GetMembers(item);
        if (DeserializedObject.IsSavedTest(members))
            return new() { Test = DeserializedObject.ToSpecification(item) };
        var literal = Array.Find(s_literalPathNames, name => GetTexts(members, name).Count > 0);
        if (literal is null && GetTexts(members, DiskName) is [var disk] && IsFullPath(disk))
            literal = DiskName;
        var isNamed = GetTexts(members, PathName).Count > 0;
        return new()
        {
            Paths = GetTexts(members, PathName),
            LiteralPaths = isNamed || literal is null ? [] : GetTexts(members, literal),
            IsUserTable = isNamed || literal is null or "LiteralPath",
            Columns =
            [
                .. members
                    .Where(member => !IsPathOrPowerShellProperty(member.Key) && member.Key != literal)
                    .Select(member => KeyValuePair.Create(member.Key, UnwrapAll(member.Value))),
                .. GetInstanceLabel(members),
            ],
        };
    }

    /// <summary>Properties of other .NET objects, such as a size, are not settings.</summary>
    private static PipelineInput FromOtherObject(object item, object? plain)
    {
        var properties = PSObject.AsPSObject(item).Properties;
        foreach (var name in s_literalPathNames.Append(PathName))
            if (
                properties[name] is { IsGettable: true, Value: { } value }
                && DeserializedObject.Unwrap(value) is string { Length: > 0 } place
            )
                return new() { LiteralPaths = [place], Columns = [.. GetInstanceLabel(DeserializedObject.GetMembers(item))] };
        if (properties[DiskName] is { IsGettable: true, Value: string disk } && IsFullPath(disk))
            return new() { LiteralPaths = [disk], Columns = [.. GetInstanceLabel(DeserializedObject.GetMembers(item))] };
        return new() { Paths = [plain?.ToString() ?? ""] };
    }

    /// <summary>The instance name of a dbatools object labels its tests, so that the results of several instances differ.</summary>
    private static IEnumerable<KeyValuePair<string, object?>> GetInstanceLabel(Dictionary<string, object?> members) =>
        !members.ContainsKey(nameof(IoTestSpecification.Label)) && GetTexts(members, InstanceName) is [var instance]
            ? [KeyValuePair.Create(nameof(IoTestSpecification.Label), (object?)instance)]
            : [];

    // Windows paths count on Linux as well, where a table of another computer can be read.
    private static bool IsFullPath(string name) =>
        System.IO.Path.IsPathFullyQualified(name) || name is [_, ':', '\\', ..] || name.StartsWith(@"\\", StringComparison.Ordinal);

    private static bool IsPathOrPowerShellProperty(string name) =>
        name.Equals(PathName, StringComparison.OrdinalIgnoreCase)
        || s_literalPathNames.Contains(name, StringComparer.OrdinalIgnoreCase)
        || s_powerShellProperties.Contains(name);

    private static IReadOnlyList<string> GetTexts(Dictionary<string, object?> members, string name) =>
        UnwrapAll(members.GetValueOrDefault(name)) switch
        {
            null or DBNull => [],
            string text => text.Trim().Length > 0 ? [text] : [],
            IEnumerable list => [.. list.Cast<object?>().Select(part => DeserializedObject.Unwrap(part)?.ToString()).OfType<string>()],
            var value => [value.ToString() ?? ""],
        };

    private static object? UnwrapAll(object? value) =>
        DeserializedObject.Unwrap(value) switch
        {
            string or null => DeserializedObject.Unwrap(value),
            IEnumerable list => list.Cast<object?>().Select(DeserializedObject.Unwrap).ToList(),
            var plain => plain,
        };
}
