namespace IoBench.Application.Plans;

/// <summary>What a check whether storage keeps its word is like, where nothing else is said.</summary>
public static class VerifyPlan
{
    // As many reads as writes: each write is soon met by a read.
    private const int WritePercent = 50;

    /// <summary>Makes the checked tests that were asked for.</summary>
    public static void Complete(PlanRequest request)
    {
        ArgumentNullException.ThrowIfNull(request);
        request.Set(Opt.Verify.Name, true);
        if (
            request.Workloads.Count == 0
            && request.Specifications.Count == 0
            && !request.Has(Opt.WritePercent)
            && !request.Has(Opt.ReadOutstanding)
            && !request.Has(Opt.WriteOutstanding)
        )
            request.Set(Opt.WritePercent.Name, WritePercent);
    }

    /// <summary>Checks that a look after a crash, which runs nothing, is given nothing of a load.</summary>
    /// <param name="load">What was given of <see cref="OptionTables.Verify"/>.</param>
    /// <exception cref="IoBenchException"><c>IoBench.ConflictingOptions</c>.</exception>
    public static void CheckAfterCrash(OptionValues load)
    {
        ArgumentNullException.ThrowIfNull(load);
        if (load.Given.FirstOrDefault(row => row.Name != Opt.Force.Name) is { } row)
            throw IoBenchException.Usage(
                "IoBench.ConflictingOptions",
                $"{row.Option} is about a load, and {Opt.AfterCrash} runs none.",
                advice: $"Leave {row.Option} out."
            );
    }

    /// <summary>Checks that a witness has one test to watch.</summary>
    /// <exception cref="IoBenchException"><c>IoBench.ConflictingOptions</c>.</exception>
    public static void CheckWitness(IReadOnlyList<IoTestSpecification> tests, SuiteSettings settings)
    {
        ArgumentNullException.ThrowIfNull(tests);
        ArgumentNullException.ThrowIfNull(settings);
        if (settings.Witness is null)
            return;
        if (tests.Count != 1)
            throw IoBenchException.Usage(
                "IoBench.ConflictingOptions",
                $"{Opt.Witness} watches one test, and these are {tests.Count}: run them one by one, each with a witness of its own."
            );
        if (!tests[0].Verify)
            throw IoBenchException.Usage(
                "IoBench.ConflictingOptions",
                $"{Opt.Witness} notes the writes of a checked test: add {Opt.Verify}."
            );
    }
}
