using System.CommandLine;
using IoBench.Analysis;
using IoBench.Cli.Output;
using IoBench.Engine;

namespace IoBench.Cli.Options;

/// <summary>A server's own load as tests: two snapshots of sys.dm_io_virtual_file_stats.</summary>
internal sealed class OwnLoadOptions
{
    private readonly Option<string[]> _files = OptionText.Create("--from-file-stats", "BEFORE,AFTER",
        "A server's own load, from two CSV files of sys.dm_io_virtual_file_stats: its sizes, mix and rate.");

    /// <summary>The option.</summary>
    public Option Option => _files;

    /// <summary>Whether it was given.</summary>
    public bool IsGiven(ParseResult parsed) => parsed.List(_files).Count > 0;

    /// <summary>Makes a request one for the own load: a test a kind of file on each path, or all at once on the paths of roles.</summary>
    public void AddTo(TestPlanRequest request, ParseResult parsed, RolePaths roles, CliConsole console)
    {
        var files = parsed.List(_files);
        if (files.Count != 2)
            throw OptionText.Wrong(parsed, _files, "two files are needed, the earlier one first: --from-file-stats before.csv,after.csv.");
        if (request is { Workloads.Count: > 0 } or { BlockSizes.Count: > 0 } or { AccessPatterns.Count: > 0 } or { WritePercents.Count: > 0 } or { TargetIops: not null })
            throw OptionText.Wrong(parsed, _files, "a server's own load brings its sizes, mix and rate: leave workload, block size, pattern, share of writes and rate out.");
        var load = FileStatsWorkload.Between(FileStatsSnapshot.Load(files[0]), FileStatsSnapshot.Load(files[1]));
        foreach (var warning in load.Warnings)
            console.Error.WriteLine($"Note: {warning}");
        if (roles.IsEmpty)
        {
            request.Specifications = load.CreateSpecifications();
            return;
        }
        if (request.Paths.Count > 0)
            throw OptionText.Wrong(parsed, _files, "name a path for the loads one by one, or paths of roles for all at once, not both.");
        var paths = roles.ToDictionary();
        foreach (var role in load.LeftOut(paths))
            console.Error.WriteLine($"Note: {role} has no path: its load is left out.");
        request.Specifications = [load.CreateTogether(paths)];
    }

    /// <summary>What SQL Server saw against what the storage gives.</summary>
    public static int Write(CliConsole console, IReadOnlyList<IoTestResult> results, bool table)
    {
        var answers = ObservedLatency.Of(results);
        if (table)
            console.Out.WriteLine();
        AnswerTables.Tell(console, answers, AnswerTables.Write, answer => answer.Summary, table);
        return ExitCodes.Done;
    }
}
