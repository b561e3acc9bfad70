namespace IoBench.Application.Plans;

/// <summary>Tests that are there already in another form: old command lines and files, results.</summary>
public static class TestSources
{
    /// <summary>The tests of command lines of sqlio, diskspd or fio; what names a file is read as a file of them. All or nothing: a part of a batch is another test.</summary>
    /// <param name="lines">Command lines, or files of them.</param>
    /// <param name="context">Where relative paths begin, those of the tests too.</param>
    /// <param name="folder">Where parameter files of a line are looked for; null = the process's folder.</param>
    /// <exception cref="IoBenchException">Those of <see cref="CommandLineReader"/>.</exception>
    public static TestPlanResult FromCommandLines(IEnumerable<string> lines, OptionContext context, string? folder = null)
    {
        ArgumentNullException.ThrowIfNull(lines);
        ArgumentNullException.ThrowIfNull(context);
        var tests = new List<IoTestSpecification>();
        var notes = new List<IoWarning>();
        foreach (var line in lines)
        {
            var file = line.Contains(" -", StringComparison.Ordinal) ? null : context.FullPath(line);
            var read = (
                file is not null && File.Exists(file) ? CommandLineReader.ReadFile(file) : CommandLineReader.Read(line, folder)
            ).ThrowIfRefused();
            tests.AddRange(read.Specifications.Select(test => MakeFull(test, context)));
            notes.AddRange(read.Notes.Select(IoWarning.FromString));
        }
        return new TestPlanResult(tests, notes);
    }

    /// <summary>A test on the targets of SQLIO's parameter file for each workload, or one with the defaults.</summary>
    /// <exception cref="IoBenchException">The file cannot be read, or there is no such workload.</exception>
    public static IReadOnlyList<IoTestSpecification> FromParameterFile(string path, IReadOnlyList<string> workloads, OptionContext context)
    {
        ArgumentNullException.ThrowIfNull(context);
        ArgumentNullException.ThrowIfNull(workloads);
        var lines = SqlioParameterFile.ReadFile(context.FullPath(path));
        var tests = workloads.Count > 0 ? workloads.SelectMany(WorkloadCatalog.Resolve).ToList() : [new IoTestSpecification()];
        foreach (var test in tests)
        {
            if (MixedTests.IsMixed(test))
                throw IoBenchException.Usage(
                    "IoBench.SuiteNotPossible",
                    $"{test.Workload} is {test.Targets.Count} patterns at once: a parameter file, which says its own threads for each file, cannot place them.",
                    test.Workload,
                    advice: "Name paths instead."
                );
            SqlioParameterFile.SetTargets(test, lines);
            MakeFull(test, context);
        }
        return tests;
    }

    /// <summary>Relative names of targets are meant from where the user is; the process may be elsewhere.</summary>
    /// <returns>The same test.</returns>
    public static IoTestSpecification MakeFull(IoTestSpecification test, OptionContext context)
    {
        ArgumentNullException.ThrowIfNull(test);
        ArgumentNullException.ThrowIfNull(context);
        foreach (var target in test.Targets)
            if (!IsFull(target.Path))
                target.Path = context.FullPath(target.Path);
        return test;
    }

    /// <summary>Begins with a separator, a drive of either system, or a disk's number.</summary>
    private static bool IsFull(string path)
    {
        if (path.Length == 0 || path[0] is '/' or '\\' or '#')
            return true;
        var slash = path.AsSpan().IndexOfAny('/', '\\');
        return path.AsSpan(0, slash < 0 ? path.Length : slash).Contains(':');
    }
}
