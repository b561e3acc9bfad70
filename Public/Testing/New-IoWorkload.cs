using System.Management.Automation;
using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.PowerShell;

/// <summary>Creates tests from a server's captured workload: sizes, mix, and rate between two snapshots.</summary>
[Cmdlet(VerbsCommon.New, "IoWorkload", HelpUri = HelpPages.Root + "New-IoWorkload")]
[OutputType(typeof(IoTestSpecification))]
public sealed class NewIoWorkloadCommand : IoCmdlet
{
    private FileStatsInput? _input;

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
        _input ??= new FileStatsInput(SessionState);
        foreach (var item in FromFileStats)
            _input.Add(item);
    }

    protected override void End()
    {
        var load = CapturedWorkload.FromSnapshots(_input?.GetSnapshots() ?? []);
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

    private Dictionary<string, string> GetRolePaths() =>
        new[] { ("data", DataPath), ("log", LogPath), ("tempdb", TempdbPath) }
            .Where(role => !string.IsNullOrEmpty(role.Item2))
            .ToDictionary(role => role.Item1, role => PathResolver.GetFullPath(SessionState, role.Item2!));
}
