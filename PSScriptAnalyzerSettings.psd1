@{
    Severity = @('Error', 'Warning')
    IncludeDefaultRules = $true
    Rules = @{
        PSUseCompatibleSyntax = @{
            Enable = $true
            TargetVersions = @('7.4')
        }
        PSUseConsistentIndentation = @{
            Enable = $true
            IndentationSize = 4
            PipelineIndentation = 'IncreaseIndentationForFirstPipeline'
            Kind = 'space'
        }
        PSUseConsistentWhitespace = @{
            Enable = $true
            IgnoreAssignmentOperatorInsideHashTable = $true
        }
        PSPlaceOpenBrace = @{
            Enable = $true
            OnSameLine = $true
        }
        PSAvoidSemicolonsAsLineTerminators = @{
            Enable = $true
        }
    }
}
