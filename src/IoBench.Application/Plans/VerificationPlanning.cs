using IoBench.Engine;

namespace IoBench.Application;

public static class VerificationPlanning
{
    // Equal shares, so that each write is soon verified by a read.
    private const int WritePercent = 50;

    /// <summary>Turns on verification for the request, and sets the write percentage if the request does not define the load.</summary>
    public static void ApplyDefaults(PlanRequest request)
    {
        ArgumentNullException.ThrowIfNull(request);
        request.Set(OptionNames.Verify.Name, true);
        if (
            request.Workloads.Count == 0
            && request.Specifications.Count == 0
            && !request.Has(OptionNames.WritePercent)
            && !request.Has(OptionNames.ReadOutstanding)
            && !request.Has(OptionNames.WriteOutstanding)
        )
            request.Set(OptionNames.WritePercent.Name, WritePercent);
    }

    /// <summary>Checks that no load was specified for the check after a crash, which runs no test.</summary>
    public static void CheckCrashOptions(OptionValues load)
    {
        ArgumentNullException.ThrowIfNull(load);
        if (load.Given.FirstOrDefault() is { } row)
            throw IoBenchException.Usage(
                "IoBench.ConflictingOptions",
                $"{row.Option} applies to a test, but {OptionNames.AfterCrash} runs no test.",
                advice: $"Remove {row.Option}."
            );
    }

    /// <summary>Returns the error of a check after a crash that could not verify all records; null for any other result.</summary>
    public static IoBenchException? CreateNotVerifiedError(IoTestResult result)
    {
        ArgumentNullException.ThrowIfNull(result);
        return result.Integrity is { ErrorCount: 0, Crash.NotVerifiedReason: { } reason }
            ? IoBenchException.Failure(
                "IoBench.NotVerified",
                $"{IntegrityMessages.NotVerified}: {reason}",
                result.Path,
                advice: "Use the original witness file, or repeat the test with a new witness."
            )
            : null;
    }

    /// <summary>Checks that a write witness is used with exactly one test, and that the test is verified.</summary>
    public static void CheckWitness(IReadOnlyList<IoTestSpecification> tests, SuiteSettings settings)
    {
        ArgumentNullException.ThrowIfNull(tests);
        ArgumentNullException.ThrowIfNull(settings);
        if (settings.Witness is null)
            return;
        if (tests.Count != 1)
            throw IoBenchException.Usage(
                "IoBench.ConflictingOptions",
                $"{OptionNames.Witness} records one test, but the command contains {tests.Count} tests. Run the tests one by one, each with a new witness."
            );
        if (!tests[0].Verify)
            throw IoBenchException.Usage(
                "IoBench.ConflictingOptions",
                $"{OptionNames.Witness} records the writes of a verified test. Add {OptionNames.Verify}."
            );
    }
}
