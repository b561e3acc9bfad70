namespace IoBench.Formats.DiskSpd.Reading;

/// <summary>Fills in what the parameters in the text leave out or round, from the command line and the results.</summary>
internal static class MissingParameters
{
    /// <summary>Completes the specifications of a run.</summary>
    internal static void Fill(DiskSpdRun run, bool isLinux)
    {
        if (!isLinux && run.CommandLine is not null)
            TakeCommandLine(run, run.CommandLine);
        if (run.TellsThreads)
            return;
        for (var i = 0; i < run.Specifications.Count; i++)
        {
            var specification = run.Specifications[i];
            if ((isLinux ? specification.ThreadCount : run.Spans.Find(s => s.Number == i + 1)?.ThreadCount) is int threads)
                SetPool(specification, threads);
        }
    }

    /// <summary>Neither threads per file nor a pool in the text: before 2.0.19, and on Linux, that is a pool (-F), and another line has its size.</summary>
    private static void SetPool(IoTestSpecification specification, int threads)
    {
        specification.SharedThreadPool = true;
        specification.ThreadCount = threads;
        foreach (var target in specification.Targets)
        {
            if (target.Pattern is not null)
                target.Pattern.ThreadCount = threads;
        }
    }

    /// <summary>
    /// The command line is printed without quotation marks, so that paths in it may have come apart; its options stand before and hold for
    /// all targets. A profile (-X) is a file that need not be here.
    /// </summary>
    private static void TakeCommandLine(DiskSpdRun run, string commandLine)
    {
        // The parameters in the text say most; a command line is only read where it says more.
        if (run.Specifications.Count > 0 && !run.HasRoundedSizes && !SaysMore(commandLine))
            return;
        var words = CommandLineWords.Split(commandLine);
        var first = words.FindIndex(w => w.StartsWith('-'));
        if (first < 0 || run.Specifications.Count > 1 || words.Exists(w => w.StartsWith("-X", StringComparison.Ordinal)))
            return;
        IoTestSpecification given;
        try
        {
            var call = DiskSpdCommandLine.ReadCall(words.GetRange(first, words.Count - first), null, slashOptions: true, isToRun: false);
            if (call.Specifications.Count == 0)
                return;
            given = call.Specifications[0];
        }
        catch (IoBenchException error)
        {
            if (run.Specifications.Count == 0)
                run.Warn($"The parameters are not in the output, and its command line was not understood: {error.Message}");
            return;
        }
        if (run.Specifications.Count == 0)
            run.Specifications.Add(WithPaths(given, run));
        else
            Complete(run.Specifications[0], given, run.HasRoundedSizes);
    }

    /// <summary>Whether a command line may hold one of the options that <see cref="Complete"/> takes from it: -c, -l, -P, -vs.</summary>
    private static bool SaysMore(ReadOnlySpan<char> commandLine)
    {
        for (var i = 1; i < commandLine.Length; i++)
            if (commandLine[i] is 'c' or 'l' or 'P' or 'v' && commandLine[i - 1] is '-' or '/')
                return true;
        return false;
    }

    /// <summary>The command line's test with the paths that the results name.</summary>
    private static IoTestSpecification WithPaths(IoTestSpecification given, DiskSpdRun run)
    {
        var paths = run.Spans.SelectMany(s => s.Rows).Select(r => r.Thread.Path).OfType<string>().Distinct().ToList();
        if (paths.Count > 0)
        {
            var any = given.Targets[0];
            given.Targets = paths.ConvertAll(p => new IoTargetSpecification(p) { BaseOffset = any.BaseOffset, MaxOffset = any.MaxOffset });
        }
        given.Origin().CommandLine = run.CommandLine;
        return given;
    }

    /// <summary>Takes from the command line what the text leaves out and, of sizes that it rounds, the exact ones.</summary>
    internal static void Complete(IoTestSpecification specification, IoTestSpecification given, bool hasRoundedSizes)
    {
        specification.FileSize ??= given.FileSize;
        var (print, givenPrint) = (specification.Origin().DiskSpd!, given.Origin().DiskSpd!);
        print.CreateFiles = givenPrint.CreateFiles;
        print.ProgressEvery = givenPrint.ProgressEvery;
        print.VerboseStatistics = givenPrint.VerboseStatistics;
        specification.LargePages = given.LargePages;
        if (!hasRoundedSizes)
            return;
        specification.BlockSize = Exact(specification.BlockSize, given.BlockSize) ?? specification.BlockSize;
        specification.Alignment = Exact(specification.Alignment, given.Alignment);
        specification.Stride = Exact(specification.Stride, given.Stride);
        specification.ThreadStride = Exact(specification.ThreadStride, given.ThreadStride);
        specification.WriteContentSize = Exact(specification.WriteContentSize, given.WriteContentSize);
        if (specification.Distribution.Count == given.Distribution.Count)
            specification.Distribution = given.Distribution;
        foreach (var target in specification.Targets)
        {
            target.BaseOffset = Exact(target.BaseOffset, given.Targets[0].BaseOffset) ?? target.BaseOffset;
            target.MaxOffset = Exact(target.MaxOffset, given.Targets[0].MaxOffset);
        }
    }

    /// <summary>The size as the command line has it, where the text may be that size rounded; a command line that was cut off says another one.</summary>
    private static long? Exact(long? printed, long? given)
    {
        if (printed is not { } rounded || given is not { } exact)
            return printed;
        // Two decimals of the largest unit that the size reaches.
        var unit = 1L << ((int)long.Log2(Math.Max(1, rounded)) / 10 * 10);
        return Math.Abs(rounded - exact) <= unit / 100 ? exact : rounded;
    }
}
