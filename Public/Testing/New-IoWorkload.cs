using System.Collections;
using System.Data;
using System.Management.Automation;
using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.PowerShell;

/// <summary>Creates tests from a server's captured workload: sizes, mix, and rate between two snapshots.</summary>
[Cmdlet(VerbsCommon.New, "IoWorkload", HelpUri = HelpPages.Root + "New-IoWorkload")]
[OutputType(typeof(IoTestSpecification))]
public sealed class NewIoWorkloadCommand : IoCmdlet
{
    private readonly List<FileStatsSnapshot> _snapshots = [];
    private readonly List<IDictionary> _rows = [];

    /// <summary>Two or more snapshots, earliest first: CSV files, tables, or rows of queries or of Get-DbaIoLatency.</summary>
    [Parameter(Mandatory = true, Position = 0, ValueFromPipeline = true)]
    [ValidateNotNull]
    public object[] FromFileStats { get; set; } = [];

    /// <summary>Path for the load of data files. With a path for any file role, all loads run concurrently, each on its path.</summary>
    [Parameter]
    public string? DataPath { get; set; }

    [Parameter]
    public string? LogPath { get; set; }

    [Parameter]
    public string? TempdbPath { get; set; }

    protected override void Process()
    {
        foreach (var item in FromFileStats)
            AddObject(item);
    }

    protected override void End()
    {
        AddSnapshotsOfRows();
        var load = CapturedWorkload.FromSnapshots(_snapshots);
        foreach (var warning in load.Warnings)
            WriteWarning(warning);
        foreach (var line in load.Lines)
            WriteVerbose(line);
        var paths = GetRolePaths();
        if (paths.Count == 0)
        {
            WriteObject(load.CreateSpecifications(), enumerateCollection: true);
            return;
        }
        foreach (var warning in load.DescribeRolesWithoutPath(paths))
            WriteWarning(warning);
        WriteObject(load.CreateConcurrentSpecifications(paths), enumerateCollection: true);
    }

    private void AddObject(object item)
    {
        var plain = DeserializedObject.Unwrap(item);
        if (CmdletParameterReader.GetFilePath(SessionState, item) is { } file)
        {
            AddSnapshotsOfRows();
            _snapshots.AddRange(FileStatsSnapshot.LoadFile(file));
        }
        else if (plain is DataTable table)
        {
            AddSnapshot(table.Rows);
        }
        else if (plain is IEnumerable rows and not IDictionary)
        {
            AddSnapshot(rows);
        }
        else
        {
            _rows.Add(plain as IDictionary ?? DeserializedObject.GetMembers(item));
        }
    }

    private void AddSnapshot(IEnumerable rows)
    {
        AddSnapshotsOfRows();
        _snapshots.Add(
            FileStatsSnapshot.FromRows(
                rows.Cast<object>().Select(row => DeserializedObject.Unwrap(row) as IDictionary ?? DeserializedObject.GetMembers(row)),
                _snapshots.Count switch
                {
                    0 => "the first snapshot",
                    1 => "the second snapshot",
                    var count => $"snapshot {count + 1}",
                }
            )
        );
    }

    private void AddSnapshotsOfRows()
    {
        _snapshots.AddRange(FileStatsSnapshot.SplitRows(_rows));
        _rows.Clear();
    }

    private Dictionary<string, string> GetRolePaths() =>
        new[] { ("data", DataPath), ("log", LogPath), ("tempdb", TempdbPath) }
            .Where(role => !string.IsNullOrEmpty(role.Item2))
            .ToDictionary(role => role.Item1, role => PathResolver.GetFullPath(SessionState, role.Item2!));
}
