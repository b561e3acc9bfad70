using System.Management.Automation;
using IoBench.Analysis;

namespace IoBench.PowerShell;

/// <summary>Returns the rule sets of Test-IoResult with their rules and sources.</summary>
[Cmdlet(VerbsCommon.Get, "IoRuleSet", HelpUri = HelpPages.Root + "Get-IoRuleSet")]
[OutputType(typeof(IoRuleSet))]
public sealed class GetIoRuleSetCommand : IoCmdlet
{
    /// <summary>Names, with wildcards, or JSON files with a rule set.</summary>
    [Parameter(Position = 0, ValueFromPipeline = true)]
    [SupportsWildcards]
    [ValidateNotNullOrEmpty]
    [ArgumentCompleter(typeof(OptionCompleter))]
    public string[] Name { get; set; } = ["*"];

    protected override void Process()
    {
        foreach (var name in Name)
        {
            if (WildcardPattern.ContainsWildcardCharacters(name))
            {
                var pattern = WildcardPattern.Get(name, WildcardOptions.IgnoreCase);
                WriteObject(IoRuleSet.All.Where(set => pattern.IsMatch(set.Name)), enumerateCollection: true);
                continue;
            }
            IoRuleSet? found = null;
            if (TryProcess(name, () => found = IoRuleSet.Find(PathResolver.GetFileOrName(SessionState, name))))
                WriteObject(found);
        }
    }
}
