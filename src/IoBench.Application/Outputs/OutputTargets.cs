using IoBench.Engine;

namespace IoBench.Application;

/// <summary>Checks that an output is not a test file of the same run, because one would overwrite the other.</summary>
public static class RunOutputs
{
    /// <summary>Refuses an output that is a target of the plan, under any name.</summary>
    /// <param name="output">The output; null for none.</param>
    /// <param name="plan">The tests.</param>
    /// <exception cref="IoBenchException"><c>IoBench.OutputIsTestFile</c>.</exception>
    public static void CheckNotTestFile(OutputFile? output, IEnumerable<IoTestSpecification> plan)
    {
        ArgumentNullException.ThrowIfNull(plan);
        if (output is null)
            return;
        // The output file exists, because reserving its name creates it. So the comparison finds it under any path.
        foreach (
            var path in plan.Where(test => !BackendCatalog.IsModeled(test.Backend))
                .SelectMany(test => test.Targets)
                .Select(target => target.Path)
                .Distinct()
        )
        {
            if (TryGetStatus(path) is { } status && output.IsSameFile(status))
                throw IoBenchException.Refused(
                    "IoBench.OutputIsTestFile",
                    $"{path} cannot be both the test file and an output of the run.",
                    path,
                    advice: "Give the output another name."
                );
        }
    }

    private static FileStatus? TryGetStatus(string path)
    {
        try
        {
            return TargetPath.Resolve(path).Status;
        }
        catch (IoBenchException)
        {
            // The check of the test reports the problem.
            return null;
        }
    }
}
