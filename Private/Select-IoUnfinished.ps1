function Select-IoUnfinished {
    <# The tests of a plan that are not among the complete results of the output file: each result stands for one test. #>
    [CmdletBinding()]
    [OutputType([IoBench.Engine.IoTestSpecification])]
    param(
        [Parameter(Mandatory)]
        [IoBench.Engine.IoTestSpecification[]] $Plan,

        [Parameter(Mandatory)]
        [IoBench.Formats.ResultFile] $Output,

        [Parameter(Mandatory)]
        [System.Management.Automation.PSCmdlet] $Cmdlet
    )

    $remaining = [IoBench.Loader.Attempt]::Remaining($Plan, $Output)
    if ($remaining.Error) {
        $Cmdlet.ThrowTerminatingError((ConvertTo-IoErrorRecord -ErrorObject $remaining.Error))
    }
    $Cmdlet.WriteVerbose("$($Plan.Count - $remaining.Value.Count) of $($Plan.Count) tests were finished before and are left out.")
    $remaining.Value
}
