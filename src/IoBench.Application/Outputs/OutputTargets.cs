namespace IoBench.Application.Outputs;

/// <summary>An output that is a test file of the same run would replace it, or be written over by the test.</summary>
public static class OutputTargets
{
    /// <summary>Refuses an output that is a target, by whatever name.</summary>
    /// <param name="output">The output; null = none.</param>
    /// <exception cref="IoBenchException"><c>IoBench.OutputIsTestFile</c>.</exception>
    public static void Check(OutputFile? output, IEnumerable<IoTestSpecification> plan)
    {
        ArgumentNullException.ThrowIfNull(plan);
        if (output is null)
            return;
        // The claim made the output's file where none was: whatever way leads to it, the same file stands at its end.
        foreach (
            var path in plan.Where(test => !BackendCatalog.IsModelled(test.Backend))
                .SelectMany(test => test.Targets)
                .Select(target => target.Path)
                .Distinct()
        )
        {
            if (StatusOf(path) is { } status && output.Is(status))
                throw IoBenchException.Refused(
                    "IoBench.OutputIsTestFile",
                    $"{path} cannot be both the test file and an output of the run.",
                    path,
                    advice: "Give the output another name."
                );
        }
    }

    private static FileStatus? StatusOf(string path)
    {
        try
        {
            return TargetPath.Resolve(path).Status;
        }
        catch (IoBenchException)
        {
            // The test's own check says what is wrong with it.
            return null;
        }
    }
}
