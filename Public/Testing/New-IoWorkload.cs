using System.Management.Automation;
using IoBench.Analysis;
using IoBench.Application;
using IoBench.Engine;

namespace IoBench.PowerShell;

/// <summary>Creates tests from a server's captured workload: sizes, mix, and rate between two snapshots, or of a trace.</summary>
[Cmdlet(VerbsCommon.New, "IoWorkload", DefaultParameterSetName = "FromFileStats", HelpUri = HelpPages.Root + "New-IoWorkload")]
[OutputType(typeof(IoTestSpecification))]
public sealed class NewIoWorkloadCommand : IoCmdlet
{
    private FileStatsInput? _input;
    private OutputFile? _saved;

    /// <summary>Two or more snapshots, earliest first: CSV files, tables, or rows of queries or of Get-DbaIoLatency.</summary>
    [Parameter(Mandatory = true, Position = 0, ValueFromPipeline = true, ParameterSetName = "FromFileStats")]
    [ValidateNotNull]
    public object[] FromFileStats { get; set; } = [];

    /// <summary>Events of one Extended Events session: XML or CSV files.</summary>
    [Parameter(Mandatory = true, ParameterSetName = "XEventPath")]
    [SupportsWildcards]
    [ValidateNotNullOrEmpty]
    public string[] XEventPath { get; set; } = [];

    /// <summary>SQL Server instance whose snapshots Invoke-DbaQuery (dbatools) or Invoke-Sqlcmd takes, every 5 seconds.</summary>
    [Parameter(Mandatory = true, ParameterSetName = "SqlInstance")]
    [ValidateNotNullOrEmpty]
    public string? SqlInstance { get; set; }

    /// <summary>Login of the instance; default: the user of the session.</summary>
    [Parameter(ParameterSetName = "SqlInstance")]
    [Credential]
    public PSCredential? SqlCredential { get; set; }

    /// <summary>Minutes of the capture; default 10.</summary>
    [Parameter(ParameterSetName = "SqlInstance")]
    [ValidateRange(0.1, 1440)]
    public double Minutes { get; set; } = 10;

    /// <summary>New CSV file for the snapshots, for Test-IoResult and Find-IoStorage.</summary>
    [Parameter(ParameterSetName = "SqlInstance")]
    public string? SnapshotPath { get; set; }

    /// <summary>Path for the load of data files. With a path for any file role, all loads run concurrently, each on its path.</summary>
    [Parameter]
    public string? DataPath { get; set; }

    [Parameter]
    public string? LogPath { get; set; }

    [Parameter]
    public string? TempdbPath { get; set; }

    protected override void Begin()
    {
        if (!string.IsNullOrEmpty(SnapshotPath))
            _saved = OutputFile.Reserve(PathResolver.ResolveOutputPath(SessionState, SnapshotPath), failedId: "IoBench.CannotWrite");
    }

    protected override void Process()
    {
        _input ??= new FileStatsInput(SessionState);
        foreach (var item in FromFileStats)
            _input.Add(item);
    }

    protected override void End()
    {
        if (SqlInstance is not null)
            TakeSnapshots(SqlInstance);
        var load =
            XEventPath.Length > 0
                ? CapturedWorkload.FromEvents([
                    .. PathResolver.ResolvePaths(SessionState, XEventPath, null, allowMissing: false, (error, _) => throw error),
                ])
                : CapturedWorkload.FromSnapshots(_input?.GetSnapshots() ?? []);
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

    private void TakeSnapshots(string instance)
    {
        var client = SnapshotClient.Find(this, instance, SqlCredential);
        List<object> rows = [];
        foreach (var snapshot in client.TakeSnapshots(TimeSpan.FromMinutes(Minutes), StopToken))
        {
            _input!.Add(snapshot);
            rows.AddRange(snapshot);
        }
        if (_saved is not null)
            SnapshotClient.Save(_saved, rows);
    }

    protected override void Dispose(bool disposing)
    {
        if (disposing)
            _saved?.Dispose();
        base.Dispose(disposing);
    }

    private Dictionary<string, string> GetRolePaths() =>
        new[] { ("data", DataPath), ("log", LogPath), ("tempdb", TempdbPath) }
            .Where(role => !string.IsNullOrEmpty(role.Item2))
            .ToDictionary(role => role.Item1, role => PathResolver.GetFullPath(SessionState, role.Item2!));
}
