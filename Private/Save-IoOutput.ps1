function Save-IoOutput {
    <# Adds a result to the file at once. That it fails (a full disk) must not cost the tests that follow: they still go to the pipeline. #>
    [CmdletBinding()]
    param(
        [Parameter(Mandatory)]
        [IoBench.Formats.ResultFile] $Output,

        [Parameter(Mandatory)]
        [IoBench.Engine.IoTestResult] $Result,

        [Parameter(Mandatory)]
        [System.Management.Automation.PSCmdlet] $Cmdlet
    )

    $added = [IoBench.Loader.Attempt]::Add($Output, $Result)
    if ($added.Error) {
        $Cmdlet.WriteError((ConvertTo-IoErrorRecord -ErrorObject $added.Error -TargetObject $Result))
    }
}
