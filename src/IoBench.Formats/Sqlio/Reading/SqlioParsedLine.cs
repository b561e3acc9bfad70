using IoBench.Engine;
using static IoBench.Formats.SqlioRun;

namespace IoBench.Formats;

/// <summary>Independent of its run, so that <see cref="SqlioLineCache"/> can apply it to later runs.</summary>
/// <param name="Kind">Part of the output; None for a line without information.</param>
/// <param name="Apply">Sets the values of a run; null if the line has none. The number is the line number, from 1.</param>
/// <param name="CanRepeat">True if a run can have several such lines, one per file. Otherwise, the second line starts the next run.</param>
/// <param name="Problem">Part of the line that could not be read, as a message; null if there is no problem.</param>
internal sealed record SqlioParsedLine(
    SqlioLineKind Kind,
    Action<SqlioRun, int>? Apply = null,
    bool CanRepeat = false,
    string? Problem = null
)
{
    public static SqlioParsedLine Version(string version) => new(SqlioLineKind.Header, (run, _) => run.ToolVersion = version);

    public static SqlioParsedLine Timer(string name, string? frequency) =>
        new(
            SqlioLineKind.Timer,
            (run, _) =>
            {
                run.Timer = name;
                run.TimerFrequency = frequency ?? run.TimerFrequency;
            }
        );

    public static SqlioParsedLine Pattern(int blockKB, IoAccessPattern access) =>
        new(
            SqlioLineKind.Pattern,
            (run, _) =>
            {
                run.BlockKB = blockKB;
                run.Access = access;
            }
        );

    public static SqlioParsedLine Stride(int blockKB, int stripeKB, int stripeRows) =>
        new(
            SqlioLineKind.Pattern,
            (run, _) =>
            {
                run.BlockKB = blockKB;
                run.Access = IoAccessPattern.Stride;
                run.StripeKB = stripeKB;
                run.StripeRows = stripeRows;
            }
        );

    public static SqlioParsedLine Size(ReportedFileSize size) =>
        new(
            SqlioLineKind.Size,
            (run, _) =>
            {
                if (run.Sizes.Count > 0 && !run.Sizes[^1].IsFinal && run.Sizes[^1].Path == size.Path)
                    run.Sizes[^1] = size;
                else if (run.Sizes.Count < SqlioCommandLine.MaxFiles)
                    run.Sizes.Add(size);
            },
            CanRepeat: true
        );

    public static SqlioParsedLine ParameterFile(string name) => new(SqlioLineKind.ParameterFile, (run, _) => run.ParameterFile = name);

    public static SqlioParsedLine Pool(string path, int threads, ulong mask, string? problem) =>
        new(SqlioLineKind.Pools, (run, number) => run.Pools.Add(new ThreadPoolLine(path, threads, mask, number)), CanRepeat: true, problem);

    public static SqlioParsedLine Threads(int count, bool isWrite, string problem) =>
        new(
            SqlioLineKind.Threads,
            (run, _) =>
            {
                run.Threads = count;
                run.IsWrite = isWrite;
            },
            Problem: problem
        );

    public static SqlioParsedLine Threads(int count, bool isWrite, int seconds, bool severalFiles, string? files) =>
        new(
            SqlioLineKind.Threads,
            (run, _) =>
            {
                run.Threads = count;
                run.IsWrite = isWrite;
                run.Seconds = seconds;
                run.SeveralFiles = severalFiles;
                run.Files = files ?? run.Files;
            }
        );

    public static SqlioParsedLine Outstanding(int count) => new(SqlioLineKind.Outstanding, (run, _) => run.Outstanding = count);

    /// <param name="buffering">The caches in use; null if the description is unknown.</param>
    public static SqlioParsedLine Buffering(IoBuffering? buffering, string? problem) =>
        new(SqlioLineKind.Buffering, (run, _) => run.Buffering = buffering, Problem: problem);

    /// <returns>A message about a value that the run cannot hold; null if there is none.</returns>
    public string? ApplyTo(SqlioRun run, int number)
    {
        if (Kind == SqlioLineKind.Pools && run.Pools.Count >= SqlioCommandLine.MaxFiles)
            return $"more than {SqlioCommandLine.MaxFiles} files, the maximum of SQLIO";
        Apply?.Invoke(run, number);
        return null;
    }
}
