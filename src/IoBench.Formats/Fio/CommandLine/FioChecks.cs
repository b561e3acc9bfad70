using IoBench.Engine;

namespace IoBench.Formats;

internal static class FioTestMapper
{
    internal static bool IsVerificationRequested(FioJobDefinition section)
    {
        var options = section.Options;
        return options["verify"] is { Length: > 0 } and not "null"
            && options.IsOn("verify")
            && (OnlyReads(section) || options["do_verify"] is null || options.IsOn("do_verify"));
    }

    internal static void SetVerification(IoTestSpecification test, List<FioJobDefinition> group, Action<FioJobDefinition, string> note)
    {
        var asked = group.FindAll(IsVerificationRequested);
        if (asked.Count == 0)
            return;
        var reason = GetNoVerificationReason(test);
        test.Verify = reason is null;
        foreach (var section in asked)
        {
            var option = "verify=" + section.Options["verify"];
            note(
                section,
                reason is not null
                    ? $"{option} is not taken, and what this test reads is not checked: {reason}"
                    : $"IoBench's own check in place of {option}: {DescribeVerification(section, asked.Count < group.Count)}"
            );
        }
    }

    private static string DescribeVerification(FioJobDefinition section, bool hasOthers) =>
        (
            OnlyReads(section)
                ? "each read is compared with what the file held before the test, not with what a run of fio wrote there"
                : "each read is compared with what the file must hold, and the file is read in full before and after the test"
        ) + (hasOthers ? ". It holds for the jobs that run beside it too" : "");

    private static bool OnlyReads(FioJobDefinition section) => section.Options.OperationKind is "read" or "randread";

    /// <summary>
    /// Returns why a test cannot be verified; null if it can. Also null if the test cannot run at all, because its run reports that error.
    /// </summary>
    private static string? GetNoVerificationReason(IoTestSpecification test)
    {
        if (test.Targets.DistinctBy(target => target.Path).Count() < test.Targets.Count)
            return "a file that several jobs use at once cannot be checked.";
        if (GetValidationError(test, check: false) is not null)
            return null;
        return GetValidationError(test, check: true);
    }

    private static string? GetValidationError(IoTestSpecification test, bool check)
    {
        test.Verify = check;
        try
        {
            SpecificationValidator.Validate(test);
            return null;
        }
        catch (IoBenchException error)
        {
            return error.Message;
        }
    }
}
