using System.Globalization;
using System.Text;
using IoBench.Formats;

namespace IoBench.Application;

/// <summary>Ansible playbook that starts a member on each host. The members start at the same time by their own clocks.</summary>
public static class AnsiblePlaybook
{
    private static readonly TimeSpan s_timeMargin = TimeSpan.FromMinutes(5);

    /// <param name="program">Program on hosts that have none in the inventory.</param>
    public static string Write(FleetPlan plan, string group, DateTimeOffset startAt, string program)
    {
        ArgumentNullException.ThrowIfNull(plan);
        ArgumentNullException.ThrowIfNull(program);
        var end = plan.Work.Max(work =>
            new FleetMemberRequest
            {
                Tests = work.Tests,
                Group = group,
                Member = work.Host.Name,
                StartAt = startAt,
            }.HardEnd
        );
        var text = new StringBuilder();
        text.Append(
            CultureInfo.InvariantCulture,
            $"""
            # Starts an IoBench member on each host. The members start at the same time, according to the clocks of their hosts.
            # Synchronize the clocks first.
            # After the run: iobench fleet merge iobench-{group}/*.jsonl
            - name: IoBench fleet {group}
              hosts:

            """
        );
        foreach (var work in plan.Work)
            text.Append(CultureInfo.InvariantCulture, $"    - !unsafe {QuoteYaml(GetAnsibleName(work.Host))}\n");
        text.Append("  gather_facts: false\n  strategy: free\n  vars:\n    iobench_hosts:\n");
        foreach (var work in plan.Work)
            text.Append(
                CultureInfo.InvariantCulture,
                $"""
                      {QuoteYaml(GetAnsibleName(work.Host))}:
                        member: !unsafe {QuoteYaml(work.Host.Name)}
                        program: !unsafe {QuoteYaml(work.Host.Program ?? program)}
                        plan: !unsafe {QuoteYaml(JsonResultSerializer.SerializePlan(work.Tests))}

                """
            );
        // The folder is unique, because two names can lead to the same host. Ansible shows a failed member as a failed host, and fetches its
        // output.
        text.Append(
            CultureInfo.InvariantCulture,
            $$$"""
              tasks:
                - name: Create a folder
                  ansible.builtin.tempfile:
                    state: directory
                    prefix: iobench-{{{group}}}.
                  register: iobench_folder
                - name: Run the member
                  block:
                    - name: Copy the plan
                      ansible.builtin.copy:
                        content: "{{ iobench_hosts[inventory_hostname].plan | string }}"
                        dest: "{{ iobench_folder.path }}/plan.json"
                        mode: '0600'
                    - name: Run the tests
                      ansible.builtin.shell:
                        cmd: >-
                          {{ iobench_hosts[inventory_hostname].program | quote }} run
                          --specification {{ iobench_folder.path | quote }}/plan.json
                          --start-at {{{startAt.UtcDateTime:yyyy-MM-dd'T'HH:mm:ss'Z'}}} --group {{{group}}}
                          --member {{ iobench_hosts[inventory_hostname].member | quote }} --group-hosts {{{plan.Work.Count}}}
                          > {{ iobench_folder.path | quote }}/output.jsonl < /dev/null
                      async: {{{Math.Ceiling((end - DateTimeOffset.Now + s_timeMargin).TotalSeconds):0}}}
                      poll: 10
                  always:
                    - name: Fetch the output
                      ansible.builtin.fetch:
                        src: "{{ iobench_folder.path }}/output.jsonl"
                        dest: "iobench-{{{group}}}/{{ inventory_hostname }}.jsonl"
                        flat: true
                    - name: Remove the folder
                      ansible.builtin.file:
                        path: "{{ iobench_folder.path }}"
                        state: absent

            """
        );
        return text.Replace("\r\n", "\n").ToString();
    }

    /// <summary>Name of the host in Ansible, which writes IPv6 addresses without brackets.</summary>
    private static string GetAnsibleName(FleetHost host) => InventoryNames.RemoveBrackets(host.Name);

    private static string QuoteYaml(string value) => $"'{value.Replace("'", "''", StringComparison.Ordinal)}'";
}
