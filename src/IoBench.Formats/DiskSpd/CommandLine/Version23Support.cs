using IoBench.Engine;

namespace IoBench.Formats;

internal static class DiskSpd23CallOptions
{
    /// <summary>Prepares tests to run on this computer: replaces whole groups by their processors.</summary>
    /// <param name="notes">Receives options that have no effect or that IoBench implements in another way.</param>
    /// <exception cref="IoBenchException"><c>IoBench.NotSupported</c>: BypassIO is mandatory. <c>IoBench.InvalidCommandLine</c>: this
    /// computer does not have a group.</exception>
    internal static void PrepareToRun(IEnumerable<IoTestSpecification> tests, List<string> notes)
    {
        foreach (var test in tests)
        {
            if (test.GetOrAddOrigin().DiskSpd?.Version23 is not { } options)
                continue;
            AddNotes(options, notes);
            if (options.WholeGroups != 0)
                ResolveGroups(test, options.WholeGroups, HostFacts.GetProcessorGroups());
        }
    }

    private static void AddNotes(DiskSpd23Options options, List<string> notes)
    {
        switch (options.BypassIO)
        {
            case DiskSpdBypass.Full:
                throw DiskSpdArguments.CreateNotSupportedError(
                    "-SY: BypassIO is not offered, and -SY asks for it or none.",
                    advice: "Leave out the Y, or use -Sy, which allows the test to go on without it."
                );
            case DiskSpdBypass.Partial:
                Note("-Sy: BypassIO is not offered; the reads take the usual way through the file system and the storage stack.");
                break;
        }
        if (options.IoRingBatch is not null)
        {
            Note(
                OperatingSystem.IsWindows()
                    ? "-u: IoRing is not offered on Windows; the I/O goes through a completion port."
                    : "-u: IoRing is part of Windows; the I/O goes through io_uring where the kernel has it, in batches of IoBench's own."
            );
        }
        if (!options.SeparatesBuffers)
            Note("-bsn: IoBench places its buffers in its own way, the same with -bsp.");
        if (options.CompletionDepth is not null)
            Note("-oc: IoBench takes all completions that are ready; the depth has no effect.");
        if (options.IsCoreAware || options.SpansGroups || options.CoreOrder is not (DiskSpdCoreOrder.PFirst or DiskSpdCoreOrder.Unordered))
            Note("-a: IoBench takes processors as they are listed, or by their number: c, s, P, e and E have no effect.");

        void Note(string text)
        {
            if (!notes.Contains(text))
                notes.Add(text);
        }
    }

    private static void ResolveGroups(IoTestSpecification test, ulong wholeGroups, IReadOnlyList<int> groups)
    {
        var processors = new List<int>();
        for (var group = 0; group < 64; group++)
        {
            if ((wholeGroups & (1UL << group)) == 0)
                continue;
            if (group >= groups.Count)
                throw DiskSpdArguments.CreateInvalidError(
                    $"-ag{group}: this computer has {NumberFormat.Pluralize(groups.Count, "processor group")}, counted from 0."
                );
            processors.AddRange(Enumerable.Range(0, groups[group]).Select(processor => DiskSpdProcessorLists.GetNumber(group, processor)));
        }
        foreach (var pattern in test.Targets.Select(t => t.Pattern).OfType<IoPattern>().Append(test))
            pattern.Processors =
            [
                .. pattern.Processors.Where(p => (wholeGroups & (1UL << (p / DiskSpdProcessorLists.MaxPerGroup))) == 0),
                .. processors,
            ];
    }
}
