function Get-IoWorkload {
    [CmdletBinding(DefaultParameterSetName = 'Object')]
    [OutputType([IoBench.Engine.IoWorkload], ParameterSetName = 'Object')]
    [OutputType([IoBench.Engine.IoTestSpecification], ParameterSetName = 'Specification')]
    param(
        [Parameter(Position = 0, ValueFromPipeline)]
        [SupportsWildcards()]
        [ValidateNotNullOrEmpty()]
        [string[]] $Name = '*',

        [Parameter(ParameterSetName = 'Object')]
        [ValidateSet('Suite', 'Workload', 'Operation')]
        [string] $Kind,

        # Its tests as specifications, to change them before Invoke-IoTest.
        [Parameter(Mandatory, ParameterSetName = 'Specification')]
        [switch] $AsSpecification
    )

    process {
        foreach ($item in $Name) {
            $found = if ([System.Management.Automation.WildcardPattern]::ContainsWildcardCharacters($item)) {
                $pattern = [System.Management.Automation.WildcardPattern]::new($item, 'IgnoreCase')
                [IoBench.Engine.WorkloadCatalog]::All.Where({ $pattern.IsMatch($_.Name) })
            } else {
                $attempt = [IoBench.Loader.Attempt]::FindWorkload($item)
                if ($attempt.Error) {
                    $PSCmdlet.WriteError((ConvertTo-IoErrorRecord -ErrorObject $attempt.Error -TargetObject $item))
                }
                $attempt.Value
            }
            foreach ($workload in $found | Where-Object { $null -ne $_ }) {
                if ($AsSpecification) {
                    $workload.CreateSpecifications()
                } elseif (-not $Kind -or $workload.Kind -eq $Kind) {
                    $workload
                }
            }
        }
    }
}
