using IoBench.Application;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Cli;

internal static class MemberRun
{
    private static readonly OptionName[] s_ofMembers = [new("Group"), new("Member"), new("GroupHosts")];

    /// <returns>
    /// The exit code of the member; null if this run is not a member, in which case the request has the tests of the specification.
    /// </returns>
    public static int? Take(CliConsole console, OptionValues values, PlanRequest request)
    {
        var plan = values.Text(new OptionName("Specification"));
        var startAt = values.Text(new OptionName("StartAt"));
        if (startAt is null)
        {
            if (Array.Find(s_ofMembers, values.Has) is { Name: not null } lost)
                throw IoBenchException.Usage(
                    FleetErrors.Member,
                    $"{lost} is for a member of a fleet: give {new OptionName("StartAt")} too."
                );
            if (plan is not null)
                request.Specifications = ReadPlan(console, plan);
            return null;
        }
        if (plan is null || values.Text(new OptionName("Group")) is not { } group)
            throw IoBenchException.Usage(
                FleetErrors.Member,
                $"{new OptionName("StartAt")} makes this a member of a fleet: give {new OptionName("Specification")} and {new OptionName("Group")} too."
            );
        console.TestsBegin();
        var isLine = startAt.Equals("line", StringComparison.OrdinalIgnoreCase);
        var member = new FleetMemberRequest
        {
            Tests = ReadPlan(console, plan),
            Group = group,
            Member = values.Text(new OptionName("Member")) ?? Environment.MachineName,
            StartAt = isLine ? null : FleetTime.Parse(startAt, DateTimeOffset.Now),
            Settings = request.Suite,
            Hosts = values.Value<int>(new OptionName("GroupHosts")),
            IsConfirmed = isLine,
        };
        using var run = new FleetMember(
            member,
            isLine ? console.Input : null,
            line =>
            {
                console.Data.Write(line + "\n");
                console.Data.Flush();
            }
        );
        var isComplete = run.Run(console.Cancelled);
        if (request.Suite.RemoveTestFile)
            foreach (var fate in TestFileCare.RemoveOwn(run.Targets).Where(fate => fate.Error is not null))
                App.WriteError(console, fate.Text);
        return isComplete ? ExitCodes.Done
            : console.Cancelled.IsCancellationRequested ? ExitCodes.Cancelled
            : ExitCodes.Failed;
    }

    private static IReadOnlyList<IoTestSpecification> ReadPlan(CliConsole console, string file) =>
        file == "-"
            ? JsonResultText.ReadPlan(console.Input.ReadLine() ?? "", "standard input")
            : JsonResultText.ReadPlan(FileLook.Take(console, file, () => InputFile.ReadAllText(file)), file);
}
