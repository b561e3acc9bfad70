using System.Globalization;
using System.Text;
using IoBench.Formats;

namespace IoBench.Application;

/// <summary>Ansible playbook that starts a member on each host. The members start at the same time by their own clocks.</summary>
public static class AnsiblePlaybook
{
    private static readonly TimeSpan s_timeMargin = TimeSpan.FromMinutes(5);

    /// <param name="program">Program on hosts.</param>
    public static string Write(FleetPlan plan, string group, DateTimeOffset startAt, string program)
    {
        ArgumentNullException.ThrowIfNull(plan);
        ArgumentNullException.ThrowIfNull(program);
        var text = new StringBuilder();
        var end = plan.Work.Max(work =>
            new FleetMemberRequest
            {
                Tests = work.Tests,
                Group = group,
                Member = work.Host.Name,
                StartAt = startAt,
            }.HardEnd
        );
        var seconds = (int)Math.Ceiling((end - DateTimeOffset.Now + s_timeMargin).TotalSeconds);
        text.Append("# Starts a member of IoBench on each host; all begin at one time by their own clocks, which must be synchronized.\n");
        text.Append("# Then: iobench fleet merge iobench-").Append(group).Append("/*.jsonl\n");
        text.Append("- name: IoBench fleet ").Append(group).Append('\n');
        text.Append("  hosts:\n");
        foreach (var work in plan.Work)
            text.Append("    - !unsafe ").Append(QuoteYaml(GetAnsibleName(work))).Append('\n');
        text.Append("  gather_facts: false\n  strategy: free\n  vars:\n    iobench_command: !unsafe ");
        text.Append(
                QuoteYaml(
                    string.Join(' ', GetMemberArguments(program, group, startAt, plan.Work.Count).Select(MemberCommandLine.QuoteForShell))
                )
            )
            .Append("\n    iobench_plans:\n");
        foreach (var work in plan.Work)
            text.Append("      ")
                .Append(QuoteYaml(GetAnsibleName(work)))
                .Append(": !unsafe ")
                .Append(QuoteYaml(JsonResultSerializer.SerializePlan(work.Tests)))
                .Append('\n');
        text.Append(
            "  tasks:\n    - name: Copy the plan\n      ansible.builtin.copy:\n        content: \"{{ iobench_plans[inventory_hostname] | string }}\"\n"
        );
        text.Append("        dest: ").Append(QuoteYaml($"/tmp/iobench-{group}.plan.json")).Append("\n        mode: '0600'\n");
        text.Append("    - name: Run the member\n      ansible.builtin.shell:\n        cmd: >-\n          {{ iobench_command }}")
            .Append(" --member {{ inventory_hostname | quote }}\n          > ")
            .Append(MemberCommandLine.QuoteForShell($"/tmp/iobench-{group}.jsonl"))
            .Append(" < /dev/null\n");
        text.Append("      async: ").Append(seconds).Append("\n      poll: 10\n      register: member\n      failed_when: false\n");
        text.Append("    - name: Fetch what it printed\n      ansible.builtin.fetch:\n        src: ")
            .Append(QuoteYaml($"/tmp/iobench-{group}.jsonl"))
            .Append('\n');
        text.Append("        dest: ")
            .Append(QuoteYaml($"iobench-{group}/{{{{ inventory_hostname }}}}.jsonl"))
            .Append("\n        flat: true\n");
        return text.ToString();
    }

    /// <summary>Ansible's name of the host: an IPv6 address is without brackets.</summary>
    private static string GetAnsibleName(HostWorkload work) => InventoryNames.RemoveBrackets(work.Host.Name);

    private static string[] GetMemberArguments(string program, string group, DateTimeOffset startAt, int hosts) =>
        [
            program,
            "run",
            "--specification",
            $"/tmp/iobench-{group}.plan.json",
            "--start-at",
            startAt.ToUniversalTime().ToString("yyyy-MM-dd'T'HH:mm:ss'Z'", CultureInfo.InvariantCulture),
            "--group",
            group,
            "--group-hosts",
            hosts.ToString(CultureInfo.InvariantCulture),
        ];

    private static string QuoteYaml(string value) => $"'{value.Replace("'", "''", StringComparison.Ordinal)}'";
}
