using IoBench.Engine;
using static IoBench.Formats.SqlioRun;

namespace IoBench.Formats;

/// <summary>Independent of its run, so that <see cref="SqlioLineCache"/> can apply it to later runs.</summary>
internal abstract record SqlioParsedLine(SqlioLineKind Kind)
{
    /// <summary>True if a run can have several such lines, one per file. Otherwise, the second line starts the next run.</summary>
    public virtual bool CanRepeat => false;

    /// <summary>Part of the line that could not be read, as a message; null if there is no problem.</summary>
    public string? Problem { get; init; }

    /// <returns>A message about a value that the run cannot hold; null if there is none.</returns>
    public abstract string? ApplyTo(SqlioRun run, int number);
}

internal sealed record SqlioHeadingLine(SqlioLineKind Kind) : SqlioParsedLine(Kind)
{
    public override string? ApplyTo(SqlioRun run, int number) => null;
}

internal sealed record SqlioVersionLine(string Version) : SqlioParsedLine(SqlioLineKind.Header)
{
    public override string? ApplyTo(SqlioRun run, int number)
    {
        run.ToolVersion = Version;
        return null;
    }
}

internal sealed record SqlioTimerLine(string Name, string? Frequency) : SqlioParsedLine(SqlioLineKind.Timer)
{
    public override string? ApplyTo(SqlioRun run, int number)
    {
        run.Timer = Name;
        if (Frequency is not null)
            run.TimerFrequency = Frequency;
        return null;
    }
}

internal sealed record SqlioPatternLine(int BlockKB, IoAccessPattern Access, int StripeKB, int StripeRows)
    : SqlioParsedLine(SqlioLineKind.Pattern)
{
    public override string? ApplyTo(SqlioRun run, int number)
    {
        run.BlockKB = BlockKB;
        run.Access = Access;
        if (Access == IoAccessPattern.Stride)
        {
            run.StripeKB = StripeKB;
            run.StripeRows = StripeRows;
        }
        return null;
    }
}

internal sealed record SqlioSizeLine(ReportedFileSize Size) : SqlioParsedLine(SqlioLineKind.Size)
{
    public override bool CanRepeat => true;

    public override string? ApplyTo(SqlioRun run, int number)
    {
        if (run.Sizes.Count > 0 && !run.Sizes[^1].IsFinal && run.Sizes[^1].Path == Size.Path)
            run.Sizes[^1] = Size;
        else if (run.Sizes.Count < SqlioCommandLine.MaxFiles)
            run.Sizes.Add(Size);
        return null;
    }
}

internal sealed record SqlioExpandingLine() : SqlioParsedLine(SqlioLineKind.Size)
{
    public override bool CanRepeat => true;

    public override string? ApplyTo(SqlioRun run, int number) => null;
}

internal sealed record SqlioParameterFileNameLine(string Name) : SqlioParsedLine(SqlioLineKind.ParameterFile)
{
    public override string? ApplyTo(SqlioRun run, int number)
    {
        run.ParameterFile = Name;
        return null;
    }
}

internal sealed record SqlioPoolLine(string Path, int Threads, ulong Mask) : SqlioParsedLine(SqlioLineKind.Pools)
{
    public override bool CanRepeat => true;

    public override string? ApplyTo(SqlioRun run, int number)
    {
        if (run.Pools.Count >= SqlioCommandLine.MaxFiles)
            return $"more than the {SqlioCommandLine.MaxFiles} files SQLIO takes";
        run.Pools.Add(new EchoedPool(Path, Threads, Mask, number));
        return null;
    }
}

internal sealed record SqlioThreadsLine(int Count, bool IsWrite) : SqlioParsedLine(SqlioLineKind.Threads)
{
    public int? Seconds { get; init; }

    public string? Files { get; init; }

    /// <summary>True if <see cref="Files"/> contains several names.</summary>
    public bool SeveralFiles { get; init; }

    public override string? ApplyTo(SqlioRun run, int number)
    {
        run.Threads = Count;
        run.IsWrite = IsWrite;
        if (Seconds is null)
            return null;
        run.Seconds = Seconds;
        run.SeveralFiles = SeveralFiles;
        if (Files is not null)
            run.Files = Files;
        return null;
    }
}

internal sealed record SqlioOutstandingLine(int Count) : SqlioParsedLine(SqlioLineKind.Outstanding)
{
    public override string? ApplyTo(SqlioRun run, int number)
    {
        run.Outstanding = Count;
        return null;
    }
}

/// <summary>The caches in use; null if the description is unknown.</summary>
internal sealed record SqlioBufferingLine(IoBuffering? Buffering) : SqlioParsedLine(SqlioLineKind.Buffering)
{
    public override string? ApplyTo(SqlioRun run, int number)
    {
        run.Buffering = Buffering;
        return null;
    }
}
