using IoBench.Engine;

namespace IoBench.Cli.Running;

/// <summary>A target that may be tested, and what of its file is still to be made.</summary>
/// <param name="Target">As it will be.</param>
/// <param name="BytesToMake">Bytes to write before it can be tested.</param>
internal sealed record PlannedTarget(PreparedTarget Target, long BytesToMake);

/// <summary>All refusals of all tests before the first one starts: a night must not end at its third test over a name.</summary>
internal static class PlannedTargets
{
    /// <summary>Checks every target of every test; changes nothing. Each path once in the answer, with the largest size it will have.</summary>
    /// <exception cref="IoBenchException">A target is refused.</exception>
    public static IReadOnlyList<PlannedTarget> All(IReadOnlyList<IoTestSpecification> plan, TestRunOptions options, CliConsole console)
    {
        var byPath = new Dictionary<string, PlannedTarget>();
        var order = new List<string>();
        foreach (var test in plan)
        {
            foreach (var target in test.Targets)
            {
                var prepared = Check(test, target, options, console);
                var existing = File.Exists(prepared.Path) ? new FileInfo(prepared.Path).Length : 0;
                var item = new PlannedTarget(prepared, prepared.IsDevice ? 0 : Math.Max(0, prepared.Size - existing));
                if (!byPath.TryGetValue(prepared.Path, out var earlier))
                    order.Add(prepared.Path);
                if (earlier is null || earlier.Target.Size < prepared.Size)
                    byPath[prepared.Path] = item;
            }
        }
        return [.. order.Select(path => byPath[path])];
    }

    /// <summary>Removes the test files that are IoBench's own; a foreign file used by force stays.</summary>
    public static void RemoveOurs(IEnumerable<PlannedTarget> targets)
    {
        foreach (var target in targets)
            if (!target.Target.IsDevice && TestFiles.IsOurs(target.Target.Path, out _))
                TestFiles.Remove(target.Target.Path, force: false);
    }

    private static PreparedTarget Check(IoTestSpecification test, IoTargetSpecification target, TestRunOptions options, CliConsole console)
    {
        // The null backend's device is imagined: there is no file to look at, to make or to keep.
        if (test.Backend == IoBackendKind.Null)
            return new PreparedTarget { Path = target.Path, Size = target.FileSize ?? test.FileSize ?? 1L << 30, IsDevice = true };
        try
        {
            return TestFiles.Check(test, target, options);
        }
        catch (IoBenchException error) when (error.ErrorId == "IoBench.SqlServerFile" && test.PatternOf(target).WritePercent == 0 && !options.AllowSqlServerRead && console.CanAsk)
        {
            var answer = console.Ask($"{error.Message.TrimEnd('.')}. Read it all the same? [y/N] ");
            if (answer?.Trim().StartsWith("y", StringComparison.OrdinalIgnoreCase) != true)
                throw;
            options.AllowSqlServerRead = true;
            return TestFiles.Check(test, target, options);
        }
    }
}
