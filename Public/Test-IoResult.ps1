function Test-IoResult {
    [CmdletBinding(DefaultParameterSetName = 'RuleSet')]
    [OutputType([IoBench.Analysis.RuleVerdict])]
    [OutputType([bool])]
    param(
        [Parameter(Mandatory, ValueFromPipeline)]
        [AllowEmptyCollection()]
        [IoBench.Engine.IoTestResult[]] $InputObject,

        # Name of a rule set, or a JSON file with one.
        [Parameter(Position = 0, ParameterSetName = 'RuleSet')]
        [string[]] $RuleSet = 'flash',

        # Rules of one's own, as hashtables: @{ Workload = 'log-commit'; MaxAverageLatencyMs = 1 }.
        [Parameter(Mandatory, ParameterSetName = 'Rule')]
        [IoBench.Analysis.IoRule[]] $Rule,

        # True or false in place of the verdicts.
        [switch] $Quiet
    )

    begin {
        $sets = [System.Collections.Generic.List[IoBench.Analysis.IoRuleSet]]::new()
        if ($Rule) {
            $own = [IoBench.Analysis.IoRuleSet]@{ Name = 'own' }
            foreach ($item in $Rule) { $own.Rules.Add($item) }
            $sets.Add($own)
        } else {
            foreach ($name in $RuleSet) {
                $path = $PSCmdlet.SessionState.Path.GetUnresolvedProviderPathFromPSPath($name)
                $found = [IoBench.Loader.Attempt]::FindRuleSet([System.IO.File]::Exists($path) ? $path : $name)
                if ($found.Error) {
                    $PSCmdlet.ThrowTerminatingError((ConvertTo-IoErrorRecord -ErrorObject $found.Error -TargetObject $name))
                }
                $sets.Add($found.Value)
            }
        }
        $results = [System.Collections.Generic.List[IoBench.Engine.IoTestResult]]::new()
    }

    process {
        foreach ($result in $InputObject) {
            if ($null -ne $result) { $results.Add($result) }
        }
    }

    end {
        $verdicts = @(foreach ($set in $sets) { [IoBench.Analysis.RuleJudge]::Judge($results, $set) })
        if ($Quiet) {
            # What was not rated is no proof: nothing rated at all is false.
            $verdicts.Where({ $_.Outcome -eq 'Fail' }).Count -eq 0 -and $verdicts.Where({ $_.Outcome -ne 'NotRated' }).Count -gt 0
        } else {
            $verdicts
        }
    }
}
